"""Prints the functions and variables of a static ELF program: name, address, size, bytes (a dash for variables that begin as zero)."""
import struct
import sys

program, names = sys.argv[1:]
image = open(program, "rb").read()
offset, count = struct.unpack_from("<Q", image, 32)[0], struct.unpack_from("<H", image, 56)[0]
loads = []
for i in range(count):
    kind, _, at, address, _, length, _, _ = struct.unpack_from("<IIQQQQQQ", image, offset + i * 56)
    if kind == 1:
        loads.append((address, length, at))
seen = set()
for line in sorted(open(names), key=lambda it: it.split()[0]):
    parts = line.split()
    if len(parts) != 4 or parts[3].startswith("$") or parts[0] in seen:
        continue
    address, size, kind, name = int(parts[0], 16), int(parts[1], 16), parts[2], parts[3]
    seen.add(parts[0])
    kept = "-"
    for start, length, at in loads:
        if start <= address and address + size <= start + length and kind in "tTrRdDW":
            kept = image[at + address - start : at + address - start + size].hex()
    print(name, f"{address:x}", size, kept)
