import collections
import concurrent.futures
import hashlib
import queue
import subprocess
import sys
import threading
import time

SECONDS = float(sys.argv[1])
THREADS = 6
# Hand the big lock on often.
sys.setswitchinterval(1e-4)


def jobs_of_a_while():
    """0, 1, ... until the time is over."""
    end = time.monotonic() + SECONDS
    job = 0
    while job == 0 or time.monotonic() < end:
        yield job
        job += 1


def in_threads(work):
    threads = [threading.Thread(target=work) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    return threads


def by_queue():
    jobs = queue.Queue(maxsize=5)
    total = [0]
    lock = threading.Lock()

    def work():
        while (job := jobs.get()) is not None:
            # Lets go of the big lock while it calculates.
            hashlib.sha256(b"x" * 4096).digest()
            with lock:
                total[0] += job * job

    threads = in_threads(work)
    for job in jobs_of_a_while():
        jobs.put(job)
    for _ in threads:
        jobs.put(None)
    for thread in threads:
        thread.join()
    return job + 1, total[0]


def by_condition():
    jobs = collections.deque()
    changed = threading.Condition(threading.RLock())
    state = {"open": True, "total": 0}

    def work():
        while True:
            with changed:
                while not jobs and state["open"]:
                    changed.wait(timeout=0.01)
                if not jobs:
                    return
                job = jobs.popleft()
                with changed:
                    state["total"] += job * job

    threads = in_threads(work)
    for job in jobs_of_a_while():
        with changed:
            jobs.append(job)
            changed.notify()
    with changed:
        state["open"] = False
        changed.notify_all()
    for thread in threads:
        thread.join()
    return job + 1, state["total"]


def by_pool():
    with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
        squares = [pool.submit(lambda job: job * job, job) for job in jobs_of_a_while()]
        return len(squares), sum(square.result() for square in squares)


def by_barrier():
    barrier = threading.Barrier(THREADS)
    slots = threading.BoundedSemaphore(2)
    total = [0]

    def work():
        for _ in range(20):
            with slots:
                total[0] += 1
            barrier.wait(timeout=60)

    for thread in in_threads(work):
        thread.join()
    return total[0]


def children():
    ended = []

    def work():
        done = subprocess.run([sys.executable, "-c", "print(6 * 7)"], capture_output=True, text=True, check=True)
        ended.append(done.stdout == "42\n")

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(ended)


print("queue", *by_queue())
print("condition", *by_condition())
print("pool", *by_pool())
print("barrier", by_barrier())
print("children", children())
