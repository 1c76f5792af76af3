"""Computes without waiting, in one of several ways: the first argument. `record` must call none of it spinning."""
import sys
import time


def json(goes_on):
    import json

    text = json.dumps([{"a": i, "b": "x" * 20, "c": [1.5, 2, None]} for i in range(2000)])
    while goes_on():
        json.loads(text)


def sqlite(goes_on):
    import sqlite3

    base = sqlite3.connect(":memory:")
    base.execute("create table numbers(a, b)")
    base.executemany("insert into numbers values(?, ?)", ((i * 7919 % 10007, str(i)) for i in range(20000)))
    while goes_on():
        base.execute("select count(*), sum(a) from numbers where b like '%7%' and a % 3 = 1").fetchall()
        base.execute("select a % 100, count(*) from numbers group by a % 100 order by 2").fetchall()


def zlib(goes_on):
    import zlib

    data = bytes(i * i % 251 for i in range(300000))
    while goes_on():
        zlib.decompress(zlib.compress(data, 6))


def interpreter(goes_on):
    while goes_on():
        total = 0
        for i in range(100000):
            total = (total * 31 + i) & 0xFFFF


end = time.process_time() + 0.8
{"json": json, "sqlite": sqlite, "zlib": zlib, "interpreter": interpreter}[sys.argv[1]](lambda: time.process_time() < end)
print("spun_ns 0")
print("cpu_ns", time.process_time_ns())
