#!/bin/sh
# locktoll's own spin locks with more threads than CPUs, in child processes of bench.
# The report must contain: "Busy waiting", and "threads spin on".
#   LOCKTOLL=target/debug/locktoll tests/busy_waiting/spin_locks.sh
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
locktoll=${LOCKTOLL:-locktoll}
"$locktoll" record -o "$scratch/bench.locktoll" -- \
    "$locktoll" bench --lock ttas,mcs --threads 4 --duration 300ms --repeat 2
