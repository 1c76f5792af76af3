#!/bin/sh
# A JVM whose threads contend for a monitor: they spin (TrySpin, which calls SpinPause) before they park. The names of
# jitted code come from /tmp/perf-PID.map, which the JVM writes on request.
# The report must name "Monitors.waitForReady", a loop of jitted code; the last line must be: "SpinPause: N of M samples".
#   LOCKTOLL=target/debug/locktoll tests/busy_waiting/java_monitors.sh     Debian: default-jdk-headless
set -eu
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
javac -d "$scratch" "$here/Monitors.java"
java -cp "$scratch" Monitors "${SECONDS_OF_LOAD:-15}" &
program=$!
trap 'kill $program 2>/dev/null || true; rm -rf "$scratch" "/tmp/perf-$program.map"' EXIT
sleep 3
jcmd "$program" Compiler.perfmap >/dev/null 2>&1 || true
"${LOCKTOLL:-locktoll}" attach "$program" --duration "${SECONDS_WATCHED:-8}s" --json >"$scratch/profile.json"
python3 "$here/share.py" "$scratch/profile.json" SpinPause TrySpin
