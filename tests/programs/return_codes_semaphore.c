// Calls every function on semaphores where POSIX or the GNU C library says what it returns.
#include "show.h"
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t semaphore;
static struct timespec nonsense = {0, -1}, past = {1, 0};
static volatile sig_atomic_t handled;

static void handle(int signal) {
    (void)signal;
    handled++;
}

// Whether the main thread is asleep: the state that the kernel shows.
static int is_asleep(void) {
    char line[256] = "";
    FILE *file = fopen("/proc/self/stat", "r");
    if (file == NULL || fgets(line, sizeof line, file) == NULL) abort();
    fclose(file);
    return strstr(line, ") S ") != NULL;
}

// Sends a signal to the main thread once it waits, 5 times or until it has come back from its wait.
static volatile int came_back;
static void *interrupt(void *main_thread) {
    for (int i = 0; i < 5 && !came_back; i++) {
        while (!is_asleep() && !came_back) sleep_ms(1);
        pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
        sleep_ms(2);
    }
    return NULL;
}

static void *interrupt_and_post(void *main_thread) {
    interrupt(main_thread);
    sem_post(&semaphore);
    return NULL;
}

static void interrupted(int flags, void *(*by)(void *)) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = flags};
    sigaction(SIGUSR1, &action, NULL);
    printf("-- a signal arrives in the wait, %s\n", flags ? "SA_RESTART" : "no SA_RESTART");
    pthread_t self = pthread_self(), thread;
    struct timespec far = in_ms(CLOCK_REALTIME, 60000), far_monotonic = in_ms(CLOCK_MONOTONIC, 60000);
    for (int way = 0; way < 3; way++) {
        came_back = 0;
        handled = 0;
        pthread_create(&thread, NULL, by, &self);
        if (way == 0) SHOW_ERRNO(sem_wait(&semaphore));
        if (way == 1) SHOW_ERRNO(sem_timedwait(&semaphore, &far));
        if (way == 2) SHOW_ERRNO(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &far_monotonic));
        came_back = 1;
        pthread_join(thread, NULL);
        printf("handled %s\n", handled ? "yes" : "no");
        // A unit that came after the signal had ended the wait.
        printf("left over %d\n", sem_trywait(&semaphore) == 0);
    }
}

static void show_value(void) {
    int value = -77;
    SHOW_ERRNO(sem_getvalue(&semaphore, &value));
    printf("value %d\n", value);
}

static void between_processes(void) {
    sem_t *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    puts("-- process-shared");
    SHOW_ERRNO(sem_init(shared, 1, 0));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) _exit(sem_wait(shared) == 0 ? 5 : 6);
    sleep_ms(10);
    SHOW_ERRNO(sem_post(shared));
    int status;
    waitpid(child, &status, 0);
    printf("child %d\n", WEXITSTATUS(status));
    SHOW_ERRNO(sem_destroy(shared));
}

static void named(void) {
    char name[64];
    snprintf(name, sizeof name, "/known-answers-%d", getpid());
    puts("-- named");
    sem_t *first = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
    if (first == SEM_FAILED) {
        printf("no named semaphores here\n");
        return;
    }
    sem_t *second = sem_open(name, O_CREAT, 0600, 9);
    SHOW_ERRNO(second == first);
    SHOW_ERRNO(sem_open(name, O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED);
    SHOW_ERRNO(sem_wait(first));
    SHOW_ERRNO(sem_trywait(second));
    SHOW_ERRNO(sem_post(second));
    SHOW_ERRNO(sem_trywait(first));
    SHOW_ERRNO(sem_close(second));
    SHOW_ERRNO(sem_close(first));
    SHOW_ERRNO(sem_unlink(name));
    SHOW_ERRNO(sem_unlink(name));
    SHOW_ERRNO(sem_open(name, 0) == SEM_FAILED);
}

int main(void) {
    struct timespec soon = in_ms(CLOCK_REALTIME, 3), soon_monotonic = in_ms(CLOCK_MONOTONIC, 3);
    SHOW_ERRNO(sem_init(&semaphore, 0, (unsigned)SEM_VALUE_MAX + 1));
    SHOW_ERRNO(sem_init(&semaphore, 0, 1));
    show_value();
    puts("-- with a unit");
    SHOW_ERRNO(sem_wait(&semaphore));
    SHOW_ERRNO(sem_post(&semaphore));
    SHOW_ERRNO(sem_trywait(&semaphore));
    SHOW_ERRNO(sem_post(&semaphore));
    SHOW_ERRNO(sem_timedwait(&semaphore, &past));
    SHOW_ERRNO(sem_post(&semaphore));
    SHOW_ERRNO(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &soon_monotonic));
    SHOW_ERRNO(sem_post(&semaphore));
    int refused = sem_timedwait(&semaphore, &nonsense);
    printf("nonsense deadline: %d errno %d\n", refused, errno);
    if (refused == 0) SHOW_ERRNO(sem_post(&semaphore));
    refused = sem_clockwait(&semaphore, CLOCK_PROCESS_CPUTIME_ID, &soon);
    printf("nonsense clock: %d errno %d\n", refused, errno);
    if (refused == 0) SHOW_ERRNO(sem_post(&semaphore));
    SHOW_ERRNO(sem_wait(&semaphore));
    puts("-- without");
    SHOW_ERRNO(sem_trywait(&semaphore));
    SHOW_ERRNO(sem_timedwait(&semaphore, &soon));
    SHOW_ERRNO(sem_timedwait(&semaphore, &past));
    SHOW_ERRNO(sem_timedwait(&semaphore, &nonsense));
    SHOW_ERRNO(sem_clockwait(&semaphore, CLOCK_REALTIME, &soon));
    SHOW_ERRNO(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past));
    SHOW_ERRNO(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &nonsense));
    SHOW_ERRNO(sem_clockwait(&semaphore, 12345, &soon));
    show_value();
    interrupted(0, interrupt);
    interrupted(SA_RESTART, interrupt_and_post);
    show_value();
    SHOW_ERRNO(sem_destroy(&semaphore));
    puts("-- full");
    SHOW_ERRNO(sem_init(&semaphore, 0, SEM_VALUE_MAX));
    SHOW_ERRNO(sem_post(&semaphore));
    show_value();
    SHOW_ERRNO(sem_destroy(&semaphore));
    between_processes();
    named();
    return 0;
}
