#!/bin/bash
# Is what `locktoll whatif` predicts for memcached true? Builds memcached from Debian's source with one change: while memory for an item is
# allocated, slabs_lock is held for HOLD_US more microseconds of work. So the truth is measured by giving fewer.
#
#   tests/whatif/memcached.sh [--locktoll FILE] [--source FOLDER] [ROUNDS]
#
# FOLDER has the unpacked source; otherwise `apt-get source memcached` fetches it, which needs a line `deb-src` in apt's list. Needs
# libevent-dev too. The server listens on the loopback alone, and ends here.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
locktoll=$top/target/release/locktoll
source=
rounds=10
while [ $# -gt 0 ]; do
    case $1 in
        --locktoll) locktoll=$(realpath "$2"); shift 2 ;;
        --source) source=$(realpath "$2"); shift 2 ;;
        *) rounds=$1; shift ;;
    esac
done
folder=$(mktemp -d "${TMPDIR:-/tmp}/whatif-memcached-XXXXXX")
server=
clean_up() {
    [ -z "$server" ] || kill "$server" 2> /dev/null || true
    rm -rf "$folder"
}
trap clean_up EXIT

cd "$folder"
if [ -n "$source" ]; then
    cp -a "$source" memcached-source
else
    apt-get source -qq memcached
    mv memcached-[0-9]*/ memcached-source
fi
cd memcached-source
sed -i '/^void \*slabs_alloc(/i \
#include <time.h>\
static void hold_longer(void) {\
    static long hold_us = -1;\
    if (hold_us < 0) hold_us = getenv("HOLD_US") ? atol(getenv("HOLD_US")) : 0;\
    struct timespec now;\
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, \&now);\
    long until = now.tv_sec * 1000000000 + now.tv_nsec + hold_us * 1000;\
    while (now.tv_sec * 1000000000 + now.tv_nsec < until) clock_gettime(CLOCK_THREAD_CPUTIME_ID, \&now);\
}\
' slabs.c
sed -i '/^void \*slabs_alloc(/,/^}/ s/    ret = do_slabs_alloc(/    hold_longer();\n    ret = do_slabs_alloc(/' slabs.c
grep -q '^    hold_longer();' slabs.c
{ ./configure --disable-docs --disable-extstore && make -j2 memcached; } > ../build.log 2>&1 || { tail -20 ../build.log; exit 1; }
cd ..

hold_us=400 requests=300
port=$((20000 + $$ % 20000))
load="python3 $top/tests/whatif/load.py $port $requests"
command=("$folder/memcached-source/memcached" -t 4 -l 127.0.0.1 -p "$port" -u "$(id -un)" -U 0)

HOLD_US=$hold_us "$locktoll" whatif --rounds "$rounds" --fast slabs_lock --slow slabs_lock --load "$load" --ready "$port" \
    -o predicted.json -- "${command[@]}"
"$locktoll" report predicted.json

echo
echo "The truth, in $rounds rounds:"
python3 - "$rounds" "$hold_us" "$load" "${command[@]}" << 'PY'
import json, os, socket, subprocess, sys, time

rounds, hold_us, load, *command = sys.argv[1:]
rounds, hold_us = int(rounds), int(hold_us)
port = int(load.split()[-2])
lengths = [hold_us, hold_us * 3 // 4, hold_us // 2]


def took(length):
    server = subprocess.Popen(command, env={**os.environ, "HOLD_US": str(length)})
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.01)
        began = time.monotonic()
        subprocess.run(load.split(), check=True)
        return time.monotonic() - began
    finally:
        server.terminate()
        server.wait()


ratios = [[], []]
for _ in range(rounds):
    times = [took(length) for length in lengths]
    for ratio, time_ in zip(ratios, times[1:]):
        ratio.append(times[0] / time_)
gains = json.load(open("predicted.json"))["locks"][0]["gains"]
for percent, ratio in zip(("25", "50"), ratios):
    true = sorted(ratio)[len(ratio) // 2]
    gain = gains[percent]
    is_inside = gain["low"] <= true <= gain["high"]
    print(f"-{percent} %: predicted {gain['median']:.2f} ({gain['low']:.2f} .. {gain['high']:.2f}), true {true:.2f}, {'inside' if is_inside else 'OUTSIDE'}")
PY
