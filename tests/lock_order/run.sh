#!/bin/bash
# Records real programs under a small load, and checks that `record --order` reports no order that can end in a deadlock.
#
#   tests/lock_order/run.sh [--locktoll FILE] [NAME...]
#
# NAMEs choose; without any, all programs run that are installed. Servers listen on the loopback alone, and end here. Prints a line
# for each program: the number of edges, and of cycles. Exit code 1 if there is a cycle or a program fails, 77 if a named program is
# not installed.
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
locktoll=$top/target/release/locktoll
if [ "${1-}" = --locktoll ]; then
    locktoll=$(realpath "$2")
    shift 2
fi
all=(memcached mariadb redis rocksdb python postgresql sqlite nginx glib)
[ $# -gt 0 ] || set -- "${all[@]}"

folder=$(mktemp -d "${TMPDIR:-/tmp}/lock-order-XXXXXX")
export XDG_CACHE_HOME=$folder/cache
recorder=
clean_up() {
    [ -z "$recorder" ] || kill -KILL "$recorder" 2> /dev/null
    rm -rf "$folder"
}
trap clean_up EXIT

port() { echo $((20000 + ($$ * 7 + $1 * 131) % 20000)); }

# record NAME COMMAND...: starts a server under the recorder.
record() {
    local name=$1
    shift
    (cd "$folder" && exec "$locktoll" record --quiet --spin off -o "$folder/$name.locktoll" -- "$@") > "$folder/$name.out" 2>&1 &
    recorder=$!
}

# until_ready TRIES COMMAND...: repeats the command until it succeeds.
until_ready() {
    local tries=$1
    shift
    for _ in $(seq "$tries"); do
        "$@" > /dev/null 2>&1 && return 0
        kill -0 "$recorder" 2> /dev/null || return 1
        sleep 0.2
    done
    return 1
}

# Ends the server by the signal that ends it in an orderly way.
stop() {
    kill "-${1:-TERM}" "$recorder"
    wait "$recorder"
    recorder=
}

finish() {
    wait "$recorder"
    local code=$?
    recorder=
    return $code
}

listens() { (exec 3<> "/dev/tcp/127.0.0.1/$1"); }

memcached_load() {
    local at
    at=$(port 1)
    record memcached memcached -u "$(id -un)" -l 127.0.0.1 -p "$at" -t 4 || return 1
    until_ready 100 listens "$at" || return 1
    for client in 1 2 3 4; do
        (
            exec 3<> "/dev/tcp/127.0.0.1/$at"
            for number in $(seq 300); do
                printf 'set key%d 0 0 5\r\nhello\r\nget key%d\r\nincr key%d 1\r\n' "$number" $((number * client % 300)) "$number" >&3
            done
            printf 'stats\r\nflush_all\r\nquit\r\n' >&3
            cat <&3 > /dev/null
        ) &
        clients[client]=$!
    done
    wait "${clients[@]}"
    stop INT
}

mariadb_load() {
    local socket=$folder/db.sock
    mariadb-install-db --no-defaults --user="$(id -un)" --datadir="$folder/db" --skip-test-db > /dev/null 2>&1 || return 1
    record mariadb mariadbd --no-defaults --user="$(id -un)" --datadir="$folder/db" --socket="$socket" --skip-networking \
        --pid-file="$folder/db.pid" --innodb-buffer-pool-size=16M
    until_ready 300 mariadb --no-defaults -S "$socket" -e 'select 1' || return 1
    mariadb --no-defaults -S "$socket" -e 'create database load_; create table load_.t (id int primary key auto_increment, v int, key(v))'
    for client in 1 2 3 4; do
        (
            for number in $(seq 60); do
                echo "insert into t (v) values ($number), ($client); update t set v = v + 1 where v = $number; select count(*) from t;"
                echo "start transaction; delete from t where v = $((number % 7)); rollback; show processlist;"
            done
            echo 'optimize table t; show engine innodb status;'
        ) | mariadb --no-defaults -S "$socket" load_ > /dev/null 2>&1 &
        clients[client]=$!
    done
    wait "${clients[@]}"
    stop
}

redis_load() {
    local at
    at=$(port 2)
    record redis redis-server --port "$at" --bind 127.0.0.1 --io-threads 4 --appendonly yes --dir "$folder" --save ''
    until_ready 100 redis-cli -p "$at" ping || return 1
    redis-benchmark -p "$at" -n 1000 -c 20 -q -t set,get,lpush,zadd > /dev/null
    redis-cli -p "$at" bgrewriteaof > /dev/null
    redis-cli -p "$at" flushall async > /dev/null
    stop
}

rocksdb_load() {
    record rocksdb db_bench --benchmarks=fillrandom,readwhilewriting,compact --num=4000 --threads=4 --db="$folder/rocks" \
        --max_background_jobs=4 --write_buffer_size=65536
    finish
}

python_load() {
    record python python3 "$top/tests/lock_order/threads.py"
    finish
}

sqlite_load() {
    record sqlite python3 "$top/tests/lock_order/sqlite.py" "$folder/data.sqlite"
    finish
}

postgresql_load() {
    local bin user=()
    bin=$(echo /usr/lib/postgresql/*/bin | awk '{ print $NF }')
    # The server refuses to run as root.
    if [ "$(id -u)" = 0 ]; then
        chmod 755 "$folder"
        mkdir -p "$folder/pg" "$XDG_CACHE_HOME"
        chown -R postgres "$folder"
        user=(runuser -u postgres --)
    fi
    "${user[@]}" "$bin/initdb" -D "$folder/pg" -A trust -U postgres > /dev/null 2>&1 || return 1
    (cd "$folder" && exec "${user[@]}" "$locktoll" record --quiet --spin off -o "$folder/postgresql.locktoll" -- \
        "$bin/postgres" -D "$folder/pg" -c listen_addresses= -c unix_socket_directories="$folder") > "$folder/postgresql.out" 2>&1 &
    recorder=$!
    until_ready 100 "$bin/psql" -h "$folder" -U postgres -c 'select 1' || return 1
    "$bin/pgbench" -h "$folder" -U postgres -i -q postgres > /dev/null 2>&1
    "$bin/pgbench" -h "$folder" -U postgres -c 4 -t 100 postgres > /dev/null 2>&1
    # runuser does not pass the signal on.
    kill -INT "$(head -1 "$folder/pg/postmaster.pid")"
    wait "$recorder"
    recorder=
}

nginx_load() {
    local at
    at=$(port 3)
    mkdir -p "$folder/www" "$folder/logs"
    for number in $(seq 20); do head -c 200000 /dev/zero > "$folder/www/$number"; done
    cat > "$folder/nginx.conf" << CONF
daemon off;
worker_processes 2;
error_log $folder/logs/error.log;
pid $folder/nginx.pid;
events {}
http {
    access_log $folder/logs/access.log;
    client_body_temp_path $folder/t1; proxy_temp_path $folder/t2; fastcgi_temp_path $folder/t3; uwsgi_temp_path $folder/t4; scgi_temp_path $folder/t5;
    server { listen 127.0.0.1:$at; root $folder/www; aio threads; directio 1; }
}
CONF
    chmod -R a+rX "$folder"
    record nginx nginx -p "$folder" -c "$folder/nginx.conf" -e "$folder/logs/error.log"
    until_ready 100 listens "$at" || return 1
    for client in 1 2 3 4; do
        (
            for number in $(seq 20); do
                exec 3<> "/dev/tcp/127.0.0.1/$at"
                printf 'GET /%d HTTP/1.0\r\n\r\n' "$number" >&3
                cat <&3 > /dev/null
            done
        ) &
        clients[client]=$!
    done
    wait "${clients[@]}"
    stop QUIT
}

glib_load() {
    mkdir -p "$folder/from"
    for number in $(seq 40); do echo "$number" > "$folder/from/$number"; done
    record glib gio copy "$folder/from"/* "$folder/"
    finish
}

# The programs that each needs.
needs_of() {
    case $1 in
        memcached) echo memcached ;;
        mariadb) echo mariadbd mariadb mariadb-install-db ;;
        redis) echo redis-server redis-cli redis-benchmark ;;
        rocksdb) echo db_bench ;;
        python | sqlite) echo python3 ;;
        postgresql) echo "$(echo /usr/lib/postgresql/*/bin/postgres | awk '{ print $NF }')" runuser ;;
        nginx) echo nginx ;;
        glib) echo gio ;;
        *)
            echo "no such program: $1; accepted: ${all[*]}" >&2
            exit 2
            ;;
    esac
}

bad=0
for name in "$@"; do
    needs=$(needs_of "$name") || exit 2
    missing=
    for needed in $needs; do command -v "$needed" > /dev/null || missing=$needed; done
    if [ -n "$missing" ]; then
        echo "$name: $missing is not installed"
        [ $# = ${#all[@]} ] || exit 77
        continue
    fi
    clients=()
    if ! "${name}_load" || [ ! -s "$folder/$name.locktoll" ]; then
        echo "$name: it failed"
        tail -5 "$folder/$name.out"
        bad=1
        continue
    fi
    "$locktoll" report "$folder/$name.locktoll" --json > "$folder/$name.json" || bad=1
    python3 - "$name" "$folder/$name.json" << 'PY' || { bad=1; "$locktoll" report "$folder/$name.locktoll" --order; }
import json, sys
name, file = sys.argv[1:]
order = json.load(open(file))["order"]
edges, cycles = len(order["edges"]) + order["more_edges"], len(order["cycles"])
print(f"{name}: {edges} edges, {cycles} cycles, {order['unjudged']} unjudged, {order['dropped']} dropped", flush=True)
sys.exit(cycles > 0)
PY
done
exit $bad
