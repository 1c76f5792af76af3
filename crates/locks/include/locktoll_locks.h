/* The lock algorithms of locktoll-locks, for C and C++ programs that compare them. If you only need a mutex, use locktoll.h.
 *
 * Build the library with
 *     cargo rustc -p locktoll-locks --release --features c-api --crate-type staticlib
 * and link with
 *     cc program.c -I crates/locks/include target/release/liblocktoll_locks.a -lpthread -ldl -lm
 *
 * A lock is an opaque object of a kind that is chosen by name: "tas", "ticket", "mcs", "futex3", ...
 * locktoll_lock_name lists them. Locks exclude threads of one process.
 */
#ifndef LOCKTOLL_LOCKS_H
#define LOCKTOLL_LOCKS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct locktoll_lock locktoll_lock;

/* The name of the kind with number `index`, counted from 0; NULL if there are fewer kinds. */
const char *locktoll_lock_name(size_t index);

/* A new, free lock of the kind `name`; NULL if there is no such kind. A kind with a parameter takes it after a colon:
 * "futex3:100" spins 100 units before a waiter sleeps. `locktoll bench --list` says what the parameters mean. */
locktoll_lock *locktoll_lock_create(const char *name);

/* Frees a lock that is no longer used. NULL is ignored. */
void locktoll_lock_destroy(locktoll_lock *lock);

/* Waits until the lock is acquired. Locks are not recursive. A lock made of a kernel object aborts the program if
 * the kernel refuses to make that object at the first use. */
void locktoll_lock_acquire(const locktoll_lock *lock);

/* Acquires the lock if this needs no waiting; true if acquired. */
bool locktoll_lock_try_acquire(const locktoll_lock *lock);

/* Releases a lock that is held, by this thread or by one that has left it to this thread. */
void locktoll_lock_release(const locktoll_lock *lock);

#ifdef __cplusplus
}
#endif

#endif
