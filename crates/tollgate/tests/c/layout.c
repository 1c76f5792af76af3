/* What the header says of the objects' sizes, for a test that knows the library's. */
#include "locktoll.h"

#include <stdio.h>

int main(void)
{
    printf("%zu %zu\n", sizeof(locktoll_mutex), _Alignof(locktoll_mutex));
    printf("%zu %zu\n", sizeof(locktoll_condition), _Alignof(locktoll_condition));
    return 0;
}
