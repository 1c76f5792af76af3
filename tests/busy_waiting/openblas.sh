#!/bin/sh
# numpy's small matrix products with more OpenBLAS threads than CPUs: idle workers wait in a loop for work.
# The report must contain: "Busy waiting", "(OpenBLAS)", and the remedy "OPENBLAS_THREAD_TIMEOUT".
#   LOCKTOLL=target/debug/locktoll tests/busy_waiting/openblas.sh [THREADS]     Debian: python3-numpy libopenblas0-pthread
set -eu
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
OPENBLAS_NUM_THREADS=${1:-4} "${LOCKTOLL:-locktoll}" record -o "${OUT:-$scratch/openblas.locktoll}" -- \
    /usr/bin/python3 "$here/products.py" "${PRODUCTS:-2000}"
