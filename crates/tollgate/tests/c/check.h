/* Ends the program with a line about what was expected. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(expected)                                                          \
    do {                                                                         \
        if (!(expected)) {                                                       \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #expected); \
            exit(1);                                                             \
        }                                                                        \
    } while (0)

#endif
