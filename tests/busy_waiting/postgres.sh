#!/bin/sh
# PostgreSQL under pgbench, with many more clients than CPUs. Its spin locks (s_lock) are held for some instructions, so hardly any
# sample is in them on a small machine: the script prints how much of the CPU time the loops of s_lock took, also if that is nothing.
# The last line must be: "s_lock: N of M samples".
#   LOCKTOLL=target/debug/locktoll tests/busy_waiting/postgres.sh [CLIENTS]     Debian: postgresql postgresql-contrib python3
set -eu
here=$(cd "$(dirname "$0")" && pwd)
clients=${1:-32}
locktoll=${LOCKTOLL:-locktoll}
case $locktoll in */*) locktoll=$(readlink -f "$locktoll") ;; esac
binaries=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
scratch=$(mktemp -d)
chmod 711 "$scratch"
mkdir "$scratch/data"
as() { "$@"; }
# The server refuses to run as root.
if [ "$(id -u)" = 0 ]; then
    chown postgres "$scratch" "$scratch/data"
    as() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
fi
port=${PORT:-7433}
trap 'as "$binaries/pg_ctl" -D "$scratch/data" -m immediate stop >/dev/null 2>&1 || true; rm -rf "$scratch"' EXIT
cd "$scratch"
export XDG_CACHE_HOME="$scratch/cache"
as "$binaries/initdb" -D "$scratch/data" -A trust >/dev/null
as "$binaries/pg_ctl" -w -D "$scratch/data" -l "$scratch/log" \
    -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$scratch -c fsync=off -c max_connections=200" start >/dev/null
server=$(head -1 "$scratch/data/postmaster.pid")
pgbench() { as "$binaries/pgbench" -h 127.0.0.1 -p "$port" "$@" postgres; }
pgbench -i -q >/dev/null 2>&1
pgbench -S -n -c "$clients" -j 2 -T "${SECONDS_OF_LOAD:-15}" &
load=$!
"$locktoll" attach "$server" --children --duration "${SECONDS_WATCHED:-10}s" --json >"$scratch/profile.json"
wait "$load"
python3 "$here/share.py" "$scratch/profile.json" s_lock
