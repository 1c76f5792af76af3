"""Drives memcached: `load.py PORT REQUESTS`. Four connections, each of which stores a value REQUESTS times and waits for each answer."""

import socket
import sys
import threading


def store(port, number, requests):
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for request in range(requests):
        connection.sendall(b"set key%d-%d 0 0 5\r\nhello\r\n" % (number, request % 50))
        answer = connection.recv(64)
        if answer != b"STORED\r\n":
            sys.exit(f"memcached answered {answer!r}")


port, requests = map(int, sys.argv[1:])
threads = [threading.Thread(target=store, args=(port, number, requests)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
