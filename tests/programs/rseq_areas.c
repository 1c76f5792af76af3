// A library for LD_PRELOAD that plays a C library on Linux 7.0: areas for rseq(2) with the time slice extension, and the two
// variables that say where they are. FLAGS are the kernel's flags in each area: 16, the extension is offered; 16 + 32, it is
// enabled too. The real kernel does not know the areas, and grants nothing.
#include <stddef.h>
#include <stdint.h>

static __thread struct {
    uint32_t cpu_id_start, cpu_id;
    uint64_t rseq_cs;
    uint32_t flags;
    uint8_t rest[44];
} area __attribute__((aligned(64), tls_model("initial-exec"))) = {.cpu_id = -1, .flags = FLAGS};

// The C library's are constant, and have their values even earlier.
ptrdiff_t __rseq_offset;
unsigned __rseq_size;

__attribute__((constructor)) static void begin(void) {
    uintptr_t thread;
    __asm__("mov %%fs:0, %0" : "=r"(thread));
    __rseq_offset = (ptrdiff_t)((uintptr_t)&area - thread);
    __rseq_size = 33;
}
