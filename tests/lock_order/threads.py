"""Threads that use what Python programs use: pools, queues, logging, conditions, locks in one order."""
import concurrent.futures
import io
import logging
import queue
import threading

log = logging.getLogger("load")
log.addHandler(logging.StreamHandler(io.StringIO()))
outer, inner = threading.Lock(), threading.RLock()
jobs = queue.Queue(16)
done = threading.Condition()
count = 0


def work():
    global count
    while (job := jobs.get()) is not None:
        with outer, inner:
            log.warning("job %d", job)
        with done:
            count += 1
            done.notify_all()


threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for job in range(400):
    jobs.put(job)
for _ in threads:
    jobs.put(None)
with done:
    done.wait_for(lambda: count == 400)
for thread in threads:
    thread.join()
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    assert sum(pool.map(lambda number: number * number, range(300))) == 8955050
