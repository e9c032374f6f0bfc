#!/bin/bash
# A drill on one machine: two PostgreSQL servers, the second a synchronous streaming replica of the first, two instances of
# Admitto, HAProxy with the haproxy.cfg next to this file, and clients that create applicants and read lists all the time. The
# primary is killed, the replica promoted, and the old primary made a replica of it. At the end the drill counts the
# answers and looks for every applicant that was acknowledged.
#
#   deploy/failover-drill.sh PATH-OF-ADMITTO [FOLDER]
#
# It needs initdb and its like (PG_BIN, or those of Debian), HAProxy, curl and openssl; as root it runs PostgreSQL as the
# user postgres. It listens on 127.0.0.1 only, ports 15441 to 15445, and removes nothing but the processes it has started.
# docs/instances.md has the same commands for several machines.
set -euo pipefail
umask 077

admitto=$(realpath "$1")
folder=${2:-$(mktemp -d /tmp/admitto-drill-XXXXXX)}
here=$(dirname "$(realpath "$0")")
bin=${PG_BIN:-$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)}
port_a=15441 port_b=15442 admitto_a=127.0.0.1:15443 admitto_b=127.0.0.1:15444 proxy=127.0.0.1:15445
password=$(openssl rand -hex 16)
mkdir -p "$folder"
cd "$folder"

# as_postgres runs a command as the user of the database: PostgreSQL does not run as root.
as_postgres() {
    if [ "$(id -u)" = 0 ]; then
        runuser -u postgres -- env PGPASSWORD="${PGPASSWORD:-}" "$@"
    else
        "$@"
    fi
}

# sql runs statements on the server of a port, over its socket.
sql() { as_postgres "$bin/psql" -X -A -t -q -v ON_ERROR_STOP=1 -h "$folder/pg" -p "$1" -U postgres -d "${3:-postgres}" -c "$2"; }

# server starts the database of a folder.
server() {
    as_postgres "$bin/pg_ctl" -s -w -D "pg/$1" -l "pg/$1.log" -o "-h 127.0.0.1 -p $2 -k $folder/pg" start
}

# kill_server ends a server with all its processes at once, as a crash of the machine would.
kill_server() {
    local first
    first=$(head -n 1 "pg/$1/postmaster.pid")
    kill -STOP "$first" # so that it starts no others
    # shellcheck disable=SC2046
    kill -KILL $(ps -o pid= --ppid "$first") "$first"
}

# await waits until a command succeeds, a minute at most.
await() {
    for _ in $(seq 600); do
        "$@" && return
        sleep 0.1
    done
    echo "waited in vain: $*; look at the logs in $folder" >&2
    exit 1
}

say() { printf '%s  %s\n' "$(date +%T.%3N)" "$*"; }

# call sends one request and notes status and seconds; it succeeds with a status below 300.
call() {
    local got
    got=$(curl -sk -o /dev/null -m 30 -w '%{http_code} %{time_total}' -H "Authorization: SERVICE apikey=\"$key\"" "$@") || true
    echo "$(date +%s.%3N) $got" >>"answers.$BASHPID"
    [[ $got == 2* ]]
}

# client creates applicants and reads a list until the file stop is there; what was acknowledged it notes.
client() {
    local n=0
    until [ -e stop ]; do
        n=$((n + 1))
        if call "https://$proxy/api/v10/applicants" -d "email=c$1-$n@example.org" -d "name=Ilse Varga"; then
            echo "c$1-$n@example.org" >>"acknowledged.$1"
        else
            sleep 0.2 # Retry-After would say 5 s; here as many as possible shall meet the failure
        fi
        call "https://$proxy/api/v10/applicants?limit=100" || true
        call "https://$proxy/api/v10/reports/ReportTrackersApplicantDetails" || true # from the replica
    done
}

clients_and_services=()
finish() {
    touch stop
    [ ${#clients_and_services[@]} = 0 ] || kill "${clients_and_services[@]}" 2>/dev/null || true
    for name in a b; do
        as_postgres "$bin/pg_ctl" -s -m immediate -D "pg/$name" stop 2>/dev/null || true
    done
}
trap finish EXIT
trap 'exit 130' INT TERM

say "in $folder"
mkdir pg
chmod 711 .
[ "$(id -u)" != 0 ] || chown postgres pg

# 1. The primary. Checksums let pg_rewind bring it back later.
as_postgres "$bin/initdb" -D pg/a -U postgres --data-checksums --auth-local=trust --auth-host=scram-sha-256 >pg.log
server a $port_a
# The log since the last checkpoint before the failure must still be there for pg_rewind, and for a replica that was away.
sql $port_a "ALTER SYSTEM SET wal_keep_size = '1GB'"
sql $port_a "SELECT pg_reload_conf()" >/dev/null
sql $port_a "CREATE ROLE admitto LOGIN PASSWORD '$password'"
sql $port_a "CREATE ROLE replicator LOGIN REPLICATION PASSWORD '$password'"
sql $port_a "CREATE DATABASE admitto OWNER admitto"
# pg_rewind, run by the replicator, needs these four.
for function in 'pg_ls_dir(text, boolean, boolean)' 'pg_stat_file(text, boolean)' 'pg_read_binary_file(text)' 'pg_read_binary_file(text, bigint, bigint, boolean)'; do
    sql $port_a "GRANT EXECUTE ON FUNCTION pg_catalog.$function TO replicator"
done

# 2. The replica, and from then on no COMMIT without it.
PGPASSWORD=$password as_postgres "$bin/pg_basebackup" -D pg/b -R -X stream -c fast -h 127.0.0.1 -p $port_a -U replicator
server b $port_b
sql $port_a "ALTER SYSTEM SET synchronous_standby_names = '*'"
sql $port_a "SELECT pg_reload_conf()" >/dev/null
follows() { [ "$(sql "$1" "SELECT state || ' ' || sync_state FROM pg_stat_replication")" = "streaming $2" ]; }
await follows $port_a sync
say "the replica follows synchronously"

# 3. Two instances, which know both servers, and the proxy.
(
    umask 077 # there is a password in it
    cat >admitto.toml <<END
base_url = "https://$proxy"
[database]
url = "postgres://admitto:$password@127.0.0.1:$port_a,127.0.0.1:$port_b/admitto?target_session_attrs=read-write"
# Connections to what was the replica are given up when their life ends, 10 s here.
replica = "postgres://admitto:$password@127.0.0.1:$port_a,127.0.0.1:$port_b/admitto?target_session_attrs=standby&pool_max_conn_lifetime=10s"
[tls]
mode = "proxy"
trusted_proxies = "127.0.0.1"
[quota]
per_minute = 0
per_hour = 100000
[log]
format = "json"
END
)
export ADMITTO_CONFIG=$PWD/admitto.toml
"$admitto" serve --data=one --listen=$admitto_a 2>one.log & clients_and_services+=($!)
ready() { [ "$(curl -s -o /dev/null -w '%{http_code}' -H 'X-Forwarded-Proto: https' "http://$1/readyz")" = 200 ]; }
await ready $admitto_a
"$admitto" serve --instance.key-file=one/instance.key --data=two --listen=$admitto_b 2>two.log & clients_and_services+=($!)
await ready $admitto_b
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -keyout key.pem -out cert.pem 2>openssl.log
cat cert.pem key.pem >site.pem
ADMITTO_BIND=$proxy ADMITTO_PEM=$folder/site.pem ADMITTO_STATS=$folder/haproxy.sock ADMITTO_A=$admitto_a ADMITTO_B=$admitto_b \
    haproxy -f "$here/haproxy.cfg" 2>haproxy.log & clients_and_services+=($!)
key=$("$admitto" keys create --name=Drill --data=one)
await curl -skf -o /dev/null "https://$proxy/readyz"
for n in 1 2 3 4; do
    client $n & clients_and_services+=($!)
done
say "two instances behind HAProxy, four clients"
sleep 10

# 4. The failure, and the promotion by hand after three seconds.
killed=$(date +%s.%3N)
kill_server a
say "the primary was killed"
sleep 3
as_postgres "$bin/pg_ctl" -s -w -D pg/b promote
promoted=$(date +%s.%3N)
say "the replica was promoted"
sleep 10

# 5. The old primary becomes a replica of the new one. Never start it before that: it would take writes.
# The checkpoint first: until it is done pg_rewind 15 takes both for the same and does nothing.
sql $port_b CHECKPOINT
PGPASSWORD=$password as_postgres "$bin/pg_rewind" -D pg/a -R --source-server="host=127.0.0.1 port=$port_b user=replicator dbname=postgres" >rewind.log 2>&1
server a $port_a
await follows $port_b async
sql $port_b "ALTER SYSTEM SET synchronous_standby_names = '*'"
sql $port_b "SELECT pg_reload_conf()" >/dev/null
await follows $port_b sync
say "the old primary follows the new one, synchronously again"
sleep 15
touch stop
sleep 3

# 6. What the clients saw, and whether everything that was acknowledged is there once.
echo "answers by status (000: no answer):"
cat answers.* | awk '{ n[$2]++; if ($3 > most) most = $3 } END { for (s in n) print "  " s, n[s]; printf "  the slowest took %.1f s\n", most }'
# shellcheck disable=SC2016
cat answers.* | sort -n | awk -v killed="$killed" -v promoted="$promoted" '$2 == 201 && $1 > promoted { printf "writes went on %.1f s after the kill, %.1f s after the promotion\n", $1 - killed, $1 - promoted; exit }'
acknowledged=0 lost=0
for address in $(cat acknowledged.*); do
    acknowledged=$((acknowledged + 1))
    n=$(sql $port_b "SELECT count(*) FROM applicant WHERE visible AND email = '$address'" admitto)
    [ "$n" = 1 ] || { lost=$((lost + 1)); echo "$address is there $n times"; }
done
echo "$acknowledged applicants were acknowledged, $lost of them are not there exactly once"
"$admitto" journal verify --data=one
echo "what the instances logged about the replica for reports:"
grep -h '"msg":"reports' one.log two.log | sort | cut -c10-250
[ $lost = 0 ]
