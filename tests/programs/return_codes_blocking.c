// Every function that may block, called without a lock and then with one held, with results and errno: those that succeed,
// those that fail, those that a signal interrupts, with variable arguments where they have them.
#include "show.h"
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char path[64], buffer[64];
static volatile sig_atomic_t handled;

static void handle(int signal) {
    (void)signal;
    handled++;
}

static void files(void) {
    struct iovec both[2] = {{buffer, 3}, {buffer + 3, 4}};
    int file;
    SHOW_ERRNO((file = open(path, O_CREAT | O_RDWR | O_TRUNC, 0640)) < 0);
    struct stat status;
    fstat(file, &status);
    printf("mode %o\n", status.st_mode & 0777);
    SHOW_ERRNO(write(file, "abcdefghij", 10));
    SHOW_ERRNO(pwrite(file, "XY", 2, 4));
    SHOW_ERRNO(lseek(file, 0, SEEK_SET));
    SHOW_ERRNO(read(file, buffer, 5));
    SHOW_ERRNO(pread(file, buffer, 6, 3));
    printf("%.6s\n", buffer);
    SHOW_ERRNO(readv(file, both, 2));
    SHOW_ERRNO(writev(file, both, 2));
    SHOW_ERRNO(preadv(file, both, 2, 1));
    SHOW_ERRNO(pwritev(file, both, 2, 20));
    SHOW_ERRNO(fsync(file));
    SHOW_ERRNO(fdatasync(file));
    SHOW_ERRNO(flock(file, LOCK_EX));
    SHOW_ERRNO(flock(file, LOCK_UN));
    struct flock region = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 5};
    SHOW_ERRNO(fcntl(file, F_SETLKW, &region));
    SHOW_ERRNO(fcntl(file, F_GETFL) & O_ACCMODE);
    SHOW_ERRNO(fcntl(file, F_DUPFD_CLOEXEC, 77) < 77);
    close(77);
    SHOW_ERRNO(fcntl(file, 12345, 6));
    int other = creat("/nowhere/to/be/found", 0600);
    SHOW_ERRNO(other);
    SHOW_ERRNO(openat(AT_FDCWD, "/nowhere/to/be/found", O_RDONLY));
    SHOW_ERRNO(read(-1, buffer, 1));
    SHOW_ERRNO(write(-1, buffer, 1));
    int ends[2];
    if (pipe(ends) != 0) return;
    off_t from = 0;
    SHOW_ERRNO(sendfile(ends[1], file, &from, 10));
    SHOW_ERRNO(splice(ends[0], NULL, file, NULL, 10, 0));
    char *mapped = mmap(NULL, 10, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    SHOW_ERRNO(msync(mapped, 10, MS_SYNC));
    munmap(mapped, 10);
    close(ends[0]);
    close(ends[1]);
    close(file);
    unlink(path);
}

static void sockets(void) {
    int pair[2], listener = socket(AF_UNIX, SOCK_STREAM, 0), client = socket(AF_UNIX, SOCK_STREAM, 0), accepted;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct msghdr message = {0};
    struct mmsghdr messages[2] = {{{0}, 0}};
    struct iovec part = {buffer, 4};
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) != 0) return;
    SHOW_ERRNO(send(pair[0], "hello", 5, 0));
    SHOW_ERRNO(recv(pair[1], buffer, 8, 0));
    SHOW_ERRNO(recv(pair[1], buffer, 8, MSG_DONTWAIT));
    SHOW_ERRNO(sendto(pair[0], "hello", 5, 0, NULL, 0));
    SHOW_ERRNO(recvfrom(pair[1], buffer, 8, 0, NULL, NULL));
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    messages[0].msg_hdr = messages[1].msg_hdr = message;
    SHOW_ERRNO(sendmsg(pair[0], &message, 0));
    SHOW_ERRNO(recvmsg(pair[1], &message, 0));
    SHOW_ERRNO(sendmmsg(pair[0], messages, 2, 0));
    SHOW_ERRNO(recvmmsg(pair[1], messages, 2, 0, NULL));
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    SHOW_ERRNO(connect(client, (struct sockaddr *)&address, sizeof address));
    SHOW_ERRNO(bind(listener, (struct sockaddr *)&address, sizeof address));
    SHOW_ERRNO(listen(listener, 2));
    SHOW_ERRNO(connect(client, (struct sockaddr *)&address, sizeof address));
    SHOW_ERRNO((accepted = accept(listener, NULL, NULL)) < 0);
    close(accepted);
    fcntl(listener, F_SETFL, O_NONBLOCK);
    SHOW_ERRNO(accept4(listener, NULL, NULL, SOCK_CLOEXEC));
    struct pollfd one = {pair[0], POLLIN | POLLOUT, 0};
    SHOW_ERRNO(poll(&one, 1, 1000));
    struct timespec nothing = {0, 0};
    struct timeval none = {0, 0};
    SHOW_ERRNO(ppoll(&one, 1, &nothing, NULL));
    fd_set set;
    FD_ZERO(&set);
    FD_SET(pair[0], &set);
    SHOW_ERRNO(select(pair[0] + 1, &set, NULL, NULL, &none));
    FD_SET(pair[0], &set);
    SHOW_ERRNO(pselect(pair[0] + 1, NULL, &set, NULL, &nothing, NULL));
    int many = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLOUT};
    SHOW_ERRNO(epoll_ctl(many, EPOLL_CTL_ADD, pair[0], &event));
    SHOW_ERRNO(epoll_wait(many, &event, 1, 1000));
    SHOW_ERRNO(epoll_pwait(many, &event, 1, 1000, NULL));
    SHOW_ERRNO(epoll_wait(many, &event, 0, 0));
    close(many);
    close(pair[0]);
    close(pair[1]);
    close(listener);
    close(client);
    unlink(path);
}

static void *give_back(void *argument) { return argument; }
static int give_back_number(void *unused) {
    (void)unused;
    return 19;
}

static void others(void) {
    struct timespec moment = {0, 100000}, nonsense = {0, -1}, rest;
    SHOW_ERRNO(nanosleep(&moment, NULL));
    SHOW_ERRNO(nanosleep(&nonsense, NULL));
    SHOW(clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL));
    SHOW(clock_nanosleep(12345, 0, &moment, NULL));
    SHOW_ERRNO(usleep(100));
    SHOW_ERRNO(sleep(0));
    SHOW(thrd_sleep(&moment, &rest));
    SHOW_ERRNO(sched_yield());
    fflush(stdout);
    int status = 0;
    siginfo_t information;
    pid_t child = fork();
    if (child == 0) _exit(7);
    SHOW_ERRNO(waitpid(child, &status, 0) == child);
    SHOW_ERRNO(WEXITSTATUS(status));
    child = fork();
    if (child == 0) _exit(8);
    SHOW_ERRNO(waitid(P_PID, (id_t)child, &information, WEXITED | WNOWAIT));
    SHOW_ERRNO(wait4(child, &status, 0, NULL) == child);
    SHOW_ERRNO(WEXITSTATUS(status));
    SHOW_ERRNO(wait(&status));
    SHOW_ERRNO(waitpid(-1, &status, 0));
    pthread_t thread;
    void *result = NULL;
    pthread_create(&thread, NULL, give_back, buffer);
    SHOW(pthread_join(thread, &result));
    SHOW(result == buffer);
    thrd_t c11;
    int code = 0;
    thrd_create(&c11, give_back_number, NULL);
    SHOW(thrd_join(c11, &code));
    SHOW(code);
}

// Timers that come back until they have interrupted the call.
static void interrupted(int flags) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = flags};
    struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    int ends[2];
    struct timespec far = {60, 0};
    if (pipe(ends) != 0) return;
    sigaction(SIGALRM, &action, NULL);
    struct pollfd one = {ends[0], POLLIN, 0};
    printf("-- interrupted, %s\n", flags ? "SA_RESTART" : "no SA_RESTART");
    setitimer(ITIMER_REAL, &often, NULL);
    // Restarted for ever, these would never come back.
    if (!flags) SHOW_ERRNO(read(ends[0], buffer, 1));
    if (!flags) SHOW_ERRNO(fcntl(-1, F_SETLKW, NULL));
    SHOW_ERRNO(poll(&one, 1, 60000));
    SHOW_ERRNO(pause());
    SHOW_ERRNO(nanosleep(&far, NULL));
    SHOW(clock_nanosleep(CLOCK_MONOTONIC, 0, &far, NULL));
    SHOW_ERRNO(select(0, NULL, NULL, NULL, NULL));
    setitimer(ITIMER_REAL, &never, NULL);
    printf("handled %d\n", handled > 0);
    close(ends[0]);
    close(ends[1]);
}

int main(void) {
    snprintf(path, sizeof path, "/tmp/return-codes-%d", getpid());
    for (int held = 0; held < 2; held++) {
        printf("-- with %d locks\n", held);
        if (held) pthread_mutex_lock(&mutex);
        files();
        sockets();
        others();
        interrupted(0);
        interrupted(SA_RESTART);
        if (held) pthread_mutex_unlock(&mutex);
    }
    return 0;
}
