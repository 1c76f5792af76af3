#!/bin/bash
# Checks the predictions of `locktoll whatif` for sysbench against measured runs. Builds sysbench from Debian's source with one change: its
# benchmark of mutexes computes for HOLD_US more microseconds while it holds the mutex. A run with a smaller HOLD_US shows the true effect
# of a shorter hold.
#
#   tests/whatif/sysbench.sh [--locktoll FILE] [--source FOLDER] [ROUNDS]
#
# FOLDER contains the unpacked source. Without `--source`, `apt-get source` fetches it (needs dpkg-dev and a line `deb-src` in apt's list).
# Building needs build-essential, autoconf, automake, libtool, pkg-config, libluajit-5.1-dev and libck-dev; the comparison needs python3.
# Without `--locktoll`, the script uses target/release/locktoll.
package=sysbench
. "$(dirname "$0")/prepare.sh"

benchmark=src/tests/mutex/sb_mutex.c
sed -i "/^int mutex_execute_event(/i #include \"$top/tests/whatif/hold_longer.h\"" $benchmark
sed -i '/^int mutex_execute_event(/,/^}/ s/    global_var++;/    hold_longer();\n    global_var++;/' $benchmark
[ "$(grep -c '^    hold_longer();' $benchmark)" = 1 ]
{ ./autogen.sh && ./configure --without-mysql --with-system-luajit --with-system-ck && make -j2; } > ../build.log 2>&1 ||
    { tail -20 ../build.log; exit 1; }
cd ..

# Two threads, one mutex. Between two holds, a thread computes for some 24 us.
hold_us=40
command=("$folder/source/src/sysbench" mutex --threads=2 --mutex-num=1 --mutex-locks=10000 --mutex-loops=100000 run)

HOLD_US=$hold_us "$locktoll" whatif --rounds "$rounds" -o predicted.json -- "${command[@]}"
"$locktoll" report predicted.json
python3 "$top/tests/whatif/truth.py" predicted.json "$rounds" "$hold_us" -- "${command[@]}"
