#!/bin/sh
# Two OpenMP programs with two threads each, on two CPUs: each thread waits at barriers for one that has no CPU.
# The report must contain: "libgomp", and "the one they wait for was ready to run and had no CPU for ... of the time".
#   LOCKTOLL=target/debug/locktoll tests/busy_waiting/openmp.sh [active|passive]
set -eu
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
${CC:-gcc} -O2 -g -fopenmp "$here/barrier.c" -o "$scratch/barrier"
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY="${1:-active}"
"${LOCKTOLL:-locktoll}" record -o "${OUT:-$scratch/openmp.locktoll}" -- \
    sh -c '"$0" 300 & "$0" 300; wait' "$scratch/barrier"
