"""Threads that read and write one database, each with connections of its own, and one that they share."""
import sqlite3
import sys
import threading

path = sys.argv[1]
shared = sqlite3.connect(path, check_same_thread=False, timeout=30)
shared.execute("pragma journal_mode = wal")
shared.execute("create table t (id integer primary key, v integer)")
shared.commit()


def work(number):
    own = sqlite3.connect(path, timeout=30)
    for turn in range(60):
        own.execute("insert into t (v) values (?)", (number * turn,))
        own.commit()
        own.execute("select count(*) from t where v > ?", (turn,)).fetchall()
        shared.execute("select max(v) from t").fetchall()
    own.close()


threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
