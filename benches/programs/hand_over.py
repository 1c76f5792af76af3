"""Four threads hand numbers to each other through one bounded queue."""

import queue
import threading

ITEMS = 100_000
numbers = queue.Queue(maxsize=100)


def produce():
    for number in range(ITEMS):
        numbers.put(number)


def consume():
    for _ in range(ITEMS):
        numbers.get()


threads = [threading.Thread(target=work) for work in (produce, produce, consume, consume)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
