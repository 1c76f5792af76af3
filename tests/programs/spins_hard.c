// A thread waits busily in code that is hard to examine, in one of several ways: the first argument.
//   jitted: in code that the program has made, without a name. rewritten: the same, after the program has replaced that code.
//   unmapped: it runs code that it removes at once, again and again. watched: it has all watchpoints of the processor itself.
// Prints "refused" if the kernel does not let it do that.
#include "measure.h"
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#if defined(__x86_64__)
// mov eax, [rdi]; test eax, eax; je back; ret
static const unsigned char waits[] = {0x8b, 0x07, 0x85, 0xc0, 0x74, 0xfa, 0xc3};
// nop; mov eax, [rdi + 8]; test eax, eax; je back; ret
static const unsigned char waits_for_next[] = {0x90, 0x8b, 0x47, 0x08, 0x85, 0xc0, 0x74, 0xf9, 0xc3};
#else
// ldr w1, [x0]; cbz w1, back; ret
static const uint32_t waits[] = {0xb9400001, 0x34ffffe1, 0xd65f03c0};
// nop; ldr w1, [x0, 8]; cbz w1, back; ret
static const uint32_t waits_for_next[] = {0xd503201f, 0xb9400801, 0x34ffffe1, 0xd65f03c0};
#endif

enum { PAGE = 4096 };

static volatile int words[4];
static long late_ns = 700000000;

static char *mapped(void *where) {
    char *code = mmap(where, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED) {
        puts("refused");
        exit(0);
    }
    return code;
}

static void put(char *code, const void *bytes, size_t length) {
    memcpy(code, bytes, length);
    __builtin___clear_cache(code, code + PAGE);
}

static void *set_late(void *word) {
    sleep_ns(late_ns);
    *(volatile int *)word = 1;
    return NULL;
}

static void run(char *code, volatile int *argument, volatile int *set) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, set_late, (void *)set)) abort();
    ((void (*)(volatile int *))code)(argument);
    pthread_join(thread, NULL);
}

static void spin(volatile int *word) {
    while (!*word)
        ;
}

// The threads that are started from now on have their watchpoints taken as well.
static void take_watchpoints(void) {
    for (int i = 0; i < 4; i++) {
        struct perf_event_attr want = {.type = PERF_TYPE_BREAKPOINT, .size = sizeof want};
        want.bp_type = HW_BREAKPOINT_W;
        want.bp_addr = (uint64_t)(uintptr_t)&words[3];
        want.bp_len = HW_BREAKPOINT_LEN_4;
        want.inherit = want.exclude_kernel = want.exclude_hv = 1;
        if (syscall(SYS_perf_event_open, &want, 0, -1, -1, 0) < 0) {
            puts("refused");
            exit(0);
        }
    }
}

int main(int count, char **arguments) {
    if (count < 2) return 2;
    const char *way = arguments[1];
    if (strcmp(way, "unmapped") == 0) {
        late_ns = 8000000;
        for (int i = 0; i < 100; i++) {
            // Nothing else is mapped there.
            char *code = mapped((void *)(0x200000000000 + i * (long)PAGE));
            put(code, waits, sizeof waits);
            words[0] = 0;
            run(code, &words[0], &words[0]);
            munmap(code, PAGE);
        }
        return 0;
    }
    if (strcmp(way, "watched") == 0) {
        take_watchpoints();
        run((char *)spin, &words[0], &words[0]);
        return 0;
    }
    char *code = mapped(NULL);
    put(code, waits, sizeof waits);
    run(code, &words[0], &words[0]);
    if (strcmp(way, "rewritten") == 0) {
        put(code, waits_for_next, sizeof waits_for_next);
        for (int i = 0; i < 3; i++) {
            words[2] = 0;
            run(code, &words[0], &words[2]);
        }
    }
    return 0;
}
