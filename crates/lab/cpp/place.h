// The caller's memory as a lock of a C++ library.
#ifndef LOCKTOLL_PLACE_H
#define LOCKTOLL_PLACE_H

#include "peers.h"

template <typename T> T *as(void *object) {
    static_assert(sizeof(T) <= LOCKTOLL_PEER_BYTES, "the caller's memory is too small");
    static_assert(alignof(T) <= alignof(void *), "the caller's memory is not aligned");
    return static_cast<T *>(object);
}

#endif
