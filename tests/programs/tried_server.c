// A server that answers each connection with a number, which it counts up under a mutex, and what drives it.
//   serve FILE HOW     listens at a port of 127.0.0.1, writes its number to FILE and "ready" to standard output. Ends by SIGTERM:
//                      HOW is `well` (with 0), `by-signal` (by the default action), `never` (ignores it), `on LOCK` (by SIGABRT
//                      after ten answers if it runs on LOCK; well otherwise)
//   ask FILE TIMES     connects to the port in FILE so many times, prints "asked TIMES"; ends with 1 if it cannot
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static pthread_mutex_t answers_lock = PTHREAD_MUTEX_INITIALIZER;
static long answers;
static int dies;

static void end_well(int signal) {
    (void)signal;
    _exit(0);
}

static void *answer(void *connection) {
    int fd = (int)(long)connection;
    pthread_mutex_lock(&answers_lock);
    long number = ++answers;
    pthread_mutex_unlock(&answers_lock);
    if (dies && number == 10) abort();
    dprintf(fd, "%ld\n", number);
    close(fd);
    return NULL;
}

static struct sockaddr_in at(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static int serve(const char *file, int argc, char **how) {
    if (!strcmp(how[0], "never")) signal(SIGTERM, SIG_IGN);
    else if (strcmp(how[0], "by-signal")) signal(SIGTERM, end_well);
    const char *lock = getenv("LOCKTOLL_LOCK");
    dies = !strcmp(how[0], "on") && argc > 1 && lock && !strcmp(lock, how[1]);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = at(0);
    socklen_t length = sizeof address;
    if (bind(listener, (void *)&address, length) || getsockname(listener, (void *)&address, &length)) return 1;
    FILE *port = fopen(file, "w");
    if (!port) return 1;
    fprintf(port, "%d\n", ntohs(address.sin_port));
    fclose(port);
    if (listen(listener, 64)) return 1;
    printf("ready\n");
    fflush(stdout);
    for (;;) {
        int connection = accept(listener, NULL, NULL);
        if (connection < 0) continue;
        pthread_t thread;
        pthread_create(&thread, NULL, answer, (void *)(long)connection);
        pthread_detach(thread);
    }
}

static int ask(const char *file, long times) {
    int port = 0;
    FILE *written = fopen(file, "r");
    if (!written || fscanf(written, "%d", &port) != 1) return 1;
    for (long i = 0; i < times; i++) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        struct sockaddr_in address = at(port);
        char reply[32];
        if (connect(fd, (void *)&address, sizeof address) || read(fd, reply, sizeof reply) <= 0) {
            fprintf(stderr, "no answer\n");
            return 1;
        }
        close(fd);
    }
    printf("asked %ld\n", times);
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 3 && !strcmp(argv[1], "serve")) return serve(argv[2], argc - 3, argv + 3);
    if (argc == 4 && !strcmp(argv[1], "ask")) return ask(argv[2], atol(argv[3]));
    return 2;
}
