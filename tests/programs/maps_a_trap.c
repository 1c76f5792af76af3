/* Maps a file as a recorded process does, under a name that has two readings: below FOLDER, a folder whose name holds a backslash and
 * 012 has the file that is mapped; the folder whose name holds an end of line instead has a pipe of the same name. Prints "ready", and
 * ends with standard input. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int count, char **words)
{
    char path[4096], byte;
    int file;
    if (count < 2)
        return 2;
    snprintf(path, sizeof path, "%s/a\nb.parts-1", words[1]);
    mkdir(path, 0755);
    snprintf(path, sizeof path, "%s/a\nb.parts-1/%d-0.part", words[1], getpid());
    if (mkfifo(path, 0644))
        return 1;
    snprintf(path, sizeof path, "%s/a\\012b.parts-1", words[1]);
    mkdir(path, 0755);
    snprintf(path, sizeof path, "%s/a\\012b.parts-1/%d-0.part", words[1], getpid());
    file = open(path, O_RDWR | O_CREAT, 0644);
    if (file < 0 || ftruncate(file, 4096) || mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED)
        return 1;
    puts("ready");
    fflush(stdout);
    while (read(0, &byte, 1) > 0)
        ;
    return 0;
}
