"""Prints the loops of a profile, and the share of its samples in functions whose names contain one of some words."""
import json
import sys

profile = json.load(open(sys.argv[1]))
words = sys.argv[2:]


def names(row):
    return [frame.get("function") or "" for frame in [row["site"], *row["stack"][:3]]]


rows = profile.get("spinning", [])
for row in rows[:5]:
    site, name = row["site"], (row["word"] or {}).get("name")
    place = site.get("function") or f'{site.get("module")}+{site.get("offset") or 0:#x}'
    print(f'{row["cpu_ns"]["median"] / 1e6:.0f} ms in {place}, word {name}, writers {[w.get("function") for w in row["writers"] or []]}')
samples = sum(row["cpu_ns"]["n"] for row in rows if any(word in name for name in names(row) for word in words))
of = profile["spin_samples"]
print(f'not examined: {of["unexamined"]}, lost: {of["lost"]}')
print(f'{words[0]}: {samples} of {of["samples"]} samples')
