#!/bin/sh
# redis with more I/O threads than CPUs under redis-benchmark.
# The report must contain: "(redis)", "waits for io_threads_pending" or a word of the server, and the remedy "io-threads".
#   LOCKTOLL=target/debug/locktoll tests/busy_waiting/redis.sh [io-threads]
set -eu
threads=${1:-3}
port=${PORT:-7391}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"${LOCKTOLL:-locktoll}" record -o "${OUT:-$scratch/redis.locktoll}" -- \
    redis-server --port "$port" --bind 127.0.0.1 --save '' --appendonly no --dir "$scratch" \
    --io-threads "$threads" --io-threads-do-reads yes --logfile "$scratch/log" &
recorder=$!
until redis-cli -p "$port" ping >/dev/null 2>&1; do sleep 0.1; done
redis-benchmark -p "$port" -t set,get -n "${REQUESTS:-20000}" -c 20 -q
redis-cli -p "$port" shutdown nosave || true
wait "$recorder"
