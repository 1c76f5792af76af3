/* A process that says its command line is 1 GiB long, which takes no privilege (prctl(2), PR_SET_MM_MAP). Prints "ready", or "refused"
 * where the kernel does not let it, and ends with standard input. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/prctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#define LENGTH (1UL << 30)

/* The fields of /proc/self/stat that prctl(2) wants back. */
static int read_layout(struct prctl_mm_map *map)
{
    char text[4096], *field;
    unsigned long long numbers[60] = {0};
    int file = open("/proc/self/stat", O_RDONLY), count = 3;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0)
        return -1;
    text[length] = 0;
    field = strrchr(text, ')') + 3;
    while ((field = strchr(field, ' ')) && count < 59)
        numbers[++count] = strtoull(++field, NULL, 10);
    memset(map, 0, sizeof *map);
    map->start_code = numbers[26];
    map->end_code = numbers[27];
    map->start_stack = numbers[28];
    map->start_data = numbers[45];
    map->end_data = numbers[46];
    map->start_brk = numbers[47];
    map->brk = (unsigned long)sbrk(0);
    map->env_start = numbers[50];
    map->env_end = numbers[51];
    map->exe_fd = -1;
    return 0;
}

int main(void)
{
    struct prctl_mm_map map;
    char byte;
    void *memory = mmap(NULL, LENGTH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int is_long = memory != MAP_FAILED && !read_layout(&map);
    if (is_long) {
        map.arg_start = (unsigned long)memory;
        map.arg_end = map.arg_start + LENGTH;
        is_long = !prctl(PR_SET_MM, PR_SET_MM_MAP, &map, sizeof map, 0);
    }
    puts(is_long ? "ready" : "refused");
    fflush(stdout);
    while (read(0, &byte, 1) > 0)
        ;
    return 0;
}
