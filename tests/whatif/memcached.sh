#!/bin/bash
# Checks the predictions of `locktoll whatif` for memcached against measured runs. Builds memcached from Debian's source with one change:
# while it allocates memory for an item, it computes for HOLD_US more microseconds under slabs_lock. A run with a smaller HOLD_US shows the
# true effect of a shorter hold.
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
sed -i "/^void \*slabs_alloc(/i #include \"$top/tests/whatif/hold_longer.h\"" slabs.c
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
python3 "$top/tests/whatif/truth.py" predicted.json "$rounds" "$hold_us" --load "$port" "$load" -- "${command[@]}"
