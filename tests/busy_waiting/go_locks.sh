#!/bin/sh
# A Go program whose goroutines contend for a sync.Mutex: they spin in lockSlow before they park.
# The last line must be: "lockSlow: N of M samples", with N above 0 on a machine with two CPUs or more.
#   LOCKTOLL=target/debug/locktoll tests/busy_waiting/go_locks.sh     Debian: golang-go
set -eu
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
GOCACHE=${GOCACHE:-$scratch/cache} go build -o "$scratch/go_locks" "$here/go_locks.go"
"$scratch/go_locks" "${SECONDS_OF_LOAD:-12}" &
program=$!
trap 'kill $program 2>/dev/null || true; rm -rf "$scratch"' EXIT
"${LOCKTOLL:-locktoll}" attach "$program" --duration "${SECONDS_WATCHED:-8}s" --json >"$scratch/profile.json"
python3 "$here/share.py" "$scratch/profile.json" lockSlow procyield
