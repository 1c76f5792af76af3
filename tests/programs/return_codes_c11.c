// Calls every function of <threads.h> where C11 or the GNU C library says what it returns.
#include "show.h"
#include <threads.h>

static mtx_t mutex;
static cnd_t condition;
static tss_t key;
static once_flag once = ONCE_FLAG_INIT;
static int told, destroyed;

static const char *word(int result) {
    return result == thrd_success ? "success" : result == thrd_busy ? "busy" : result == thrd_timedout ? "timed out"
         : result == thrd_nomem ? "no memory" : "error";
}

#define WORD(call)                                                                  \
    do {                                                                            \
        errno = 77;                                                                 \
        int result_ = (call);                                                       \
        printf("%-66s %s%s\n", #call, word(result_), errno == 77 ? "" : " errno changed"); \
    } while (0)

static int try_it(void *timed) {
    WORD(mtx_trylock(&mutex));
    if (timed) {
        struct timespec soon = in_ms(CLOCK_REALTIME, 3), past = {1, 0}, nonsense = {0, -1};
        WORD(mtx_timedlock(&mutex, &soon));
        WORD(mtx_timedlock(&mutex, &past));
        WORD(mtx_timedlock(&mutex, &nonsense));
    }
    return 41;
}

static void of_type(const char *name, int type) {
    printf("-- %s\n", name);
    WORD(mtx_init(&mutex, type));
    WORD(mtx_lock(&mutex));
    if (type & mtx_recursive) {
        WORD(mtx_lock(&mutex));
        WORD(mtx_trylock(&mutex));
        WORD(mtx_unlock(&mutex));
        WORD(mtx_unlock(&mutex));
    } else {
        WORD(mtx_trylock(&mutex));
    }
    thrd_t thread;
    int result = 0;
    // Not printed: the thread would print at the same time.
    int created = thrd_create(&thread, try_it, type & mtx_timed ? &mutex : NULL);
    WORD(thrd_join(thread, &result));
    printf("created: %s\n", word(created));
    printf("returned %d\n", result);
    WORD(mtx_unlock(&mutex));
    struct timespec past = {1, 0};
    if (type & mtx_timed) {
        WORD(mtx_timedlock(&mutex, &past));
        WORD(mtx_unlock(&mutex));
    }
    mtx_destroy(&mutex);
}

static int tell(void *broadcast) {
    mtx_lock(&mutex);
    told = 1;
    WORD(broadcast ? cnd_broadcast(&condition) : cnd_signal(&condition));
    mtx_unlock(&mutex);
    thrd_exit(17);
}

static void conditions(void) {
    puts("-- conditions");
    WORD(mtx_init(&mutex, mtx_timed));
    WORD(cnd_init(&condition));
    WORD(cnd_signal(&condition));
    WORD(cnd_broadcast(&condition));
    WORD(mtx_lock(&mutex));
    struct timespec soon = in_ms(CLOCK_REALTIME, 3), past = {1, 0}, nonsense = {0, -1};
    WORD(cnd_timedwait(&condition, &mutex, &soon));
    WORD(cnd_timedwait(&condition, &mutex, &past));
    WORD(cnd_timedwait(&condition, &mutex, &nonsense));
    for (int way = 0; way < 4; way++) {
        thrd_t teller;
        struct timespec far = in_ms(CLOCK_REALTIME, 60000);
        int result = thrd_success;
        told = 0;
        int created = thrd_create(&teller, tell, way % 2 ? &told : NULL);
        while (!told && result == thrd_success)
            result = way < 2 ? cnd_wait(&condition, &mutex) : cnd_timedwait(&condition, &mutex, &far);
        printf("way %d: %s, %s\n", way, word(created), word(result));
        mtx_unlock(&mutex);
        WORD(thrd_join(teller, &result));
        printf("returned %d\n", result);
        WORD(mtx_lock(&mutex));
    }
    WORD(mtx_unlock(&mutex));
    cnd_destroy(&condition);
    mtx_destroy(&mutex);
}

static void count_destroyed(void *unused) {
    (void)unused;
    destroyed++;
}

static void say_once(void) { puts("once"); }

static int use_storage(void *value) {
    WORD(tss_set(key, value));
    call_once(&once, say_once);
    printf("own value: %d\n", tss_get(key) == value);
    thrd_yield();
    return 0;
}

int main(void) {
    of_type("plain", mtx_plain);
    of_type("timed", mtx_timed);
    of_type("recursive", mtx_plain | mtx_recursive);
    of_type("timed and recursive", mtx_timed | mtx_recursive);
    WORD(mtx_init(&mutex, 77));
    conditions();
    puts("-- threads");
    thrd_t thread;
    WORD(tss_create(&key, count_destroyed));
    int created = thrd_create(&thread, use_storage, &thread);
    WORD(thrd_join(thread, NULL));
    printf("created: %s\n", word(created));
    call_once(&once, say_once);
    printf("destroyed %d\n", destroyed);
    printf("self %d\n", thrd_equal(thrd_current(), thrd_current()) != 0);
    struct timespec short_time = {0, 1000000}, nonsense = {0, -1};
    SHOW(thrd_sleep(&short_time, NULL));
    SHOW(thrd_sleep(&nonsense, NULL) < 0);
    return 0;
}
