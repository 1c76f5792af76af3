"""Checks a prediction of `locktoll whatif`. Each round runs the program with the full HOLD_US, with 75 % of it, and with 50 % of it:

    truth.py PREDICTED.json ROUNDS HOLD_US [--load PORT LOAD] -- COMMAND

With --load, COMMAND is a server that listens on 127.0.0.1:PORT, and the script measures the duration of the command LOAD."""

import json
import os
import socket
import subprocess
import sys
import time


def wait_for(port):
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.01)


def took(command, hold_us, load):
    environment = {**os.environ, "HOLD_US": str(hold_us)}
    if load is None:
        began = time.monotonic()
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
        return time.monotonic() - began
    server = subprocess.Popen(command, env=environment)
    try:
        port, client = load
        wait_for(port)
        began = time.monotonic()
        subprocess.run(client.split(), check=True)
        return time.monotonic() - began
    finally:
        server.terminate()
        server.wait()


before = sys.argv.index("--")
predicted, rounds, hold_us, *rest = sys.argv[1:before]
command = sys.argv[before + 1 :]
load = (int(rest[1]), rest[2]) if rest else None
rounds, hold_us = int(rounds), int(hold_us)

ratios = {25: [], 50: []}
for _ in range(rounds):
    whole = took(command, hold_us, load)
    for percent, ratio in ratios.items():
        ratio.append(whole / took(command, hold_us * (100 - percent) // 100, load))

lock = json.load(open(predicted))["locks"][0]
print(f"\nThe truth, in {rounds} rounds:")
for percent, ratio in ratios.items():
    true = sorted(ratio)[len(ratio) // 2]
    gain = lock["gains"][str(percent)]
    verdict = "inside" if gain["low"] <= true <= gain["high"] else "OUTSIDE"
    print(f"-{percent} %: predicted {gain['median']:.2f} ({gain['low']:.2f} .. {gain['high']:.2f}), true {true:.2f}, {verdict}")
