#!/bin/bash
# Checks the predictions of `locktoll whatif` for memcached against measured runs. Builds memcached from Debian's source with one change:
# while it allocates memory for an item, it computes for HOLD_US more microseconds under slabs_lock. A run with a smaller HOLD_US shows the
# true effect of a shorter hold.
#
#   tests/whatif/memcached.sh [--locktoll FILE] [--source FOLDER] [ROUNDS]
#
# FOLDER contains the unpacked source. Without `--source`, `apt-get source` fetches it (needs dpkg-dev and a line `deb-src` in apt's list).
# Building needs build-essential and libevent-dev; the load and the comparison need python3. Without `--locktoll`, the script uses
# target/release/locktoll. The server listens on the loopback alone.
package=memcached
. "$(dirname "$0")/prepare.sh"

sed -i "/^void \*slabs_alloc(/i #include \"$top/tests/whatif/hold_longer.h\"" slabs.c
sed -i '/^void \*slabs_alloc(/,/^}/ s/    ret = do_slabs_alloc(/    hold_longer();\n    ret = do_slabs_alloc(/' slabs.c
grep -q '^    hold_longer();' slabs.c
{ ./configure --disable-docs --disable-extstore && make -j2 memcached; } > ../build.log 2>&1 || { tail -20 ../build.log; exit 1; }
cd ..

hold_us=400 requests=300
port=$((20000 + $$ % 20000))
load="python3 $top/tests/whatif/load.py $port $requests"
command=("$folder/source/memcached" -t 4 -l 127.0.0.1 -p "$port" -u "$(id -un)" -U 0)

HOLD_US=$hold_us "$locktoll" whatif --rounds "$rounds" --fast slabs_lock --slow slabs_lock --load "$load" --ready "$port" \
    -o predicted.json -- "${command[@]}"
"$locktoll" report predicted.json
python3 "$top/tests/whatif/truth.py" predicted.json "$rounds" "$hold_us" --load "$port" "$load" -- "${command[@]}"
