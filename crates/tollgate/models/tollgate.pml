/*
 * The protocol of the mutex `Tollgate` (../src/raw_mutex.rs). What is modelled and what is not: README.md.
 *
 * N threads acquire and release ROUNDS times, or without end (0). Of them, the last TIMED may have deadlines of their own. Every
 * exchange is one step, with the loads that it confirms; one that fails changes nothing, and is no step. A release is a load and
 * a store (STORE), an exchange (EXCHANGE), or either (both). With BROADCAST threads may wait for a condition.
 */
#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef TIMED
#define TIMED 1
#endif

/* One release may have begun to store before the heir asked. */
#ifdef STORE
#define MOST_PASSED_OVER 1
#else
#define MOST_PASSED_OVER 0
#endif
#define MOST_RESTS 2

#include "tollgate/word.pml"
#include "tollgate/steps.pml"

active [N] proctype Thread()
{
    /* Whether it spins; has a deadline of its own; and has entered the queue during a hand-over. */
    bit spins, timed, during;
    /* The heir's, as in heir.rs; `endless`: its patience does not end. */
    bit called, overtaken, has_spun, due, endless;
    byte rests;
    /* What is still to be done after an exchange. */
    bit interrupts, wakes;
    byte appointee = NOBODY;
    /* What the upper half was when a thread went to sleep. */
    byte seen;
    byte rounds, i;

again:
    atomic { ends_release(); forget() };
#if ROUNDS > 0
    if
    :: rounds == ROUNDS -> goto ends
    :: rounds < ROUNDS -> rounds++
    fi;
#endif
    if
    :: timed = 0
    :: _pid >= N - TIMED -> timed = 1
    fi;

#ifdef BROADCAST
    if
    :: d_step { _pid > 0 && !signalled -> waits_for_condition[_pid] = 1 } goto wait
    :: d_step { _pid == 0 && !signalled -> skip } goto broadcast
    :: true
    fi;
#endif

#include "tollgate/arrive.pml"
#include "tollgate/heir.pml"

critical:
    atomic { forget() };
#ifdef BROADCAST
    if
    :: d_step { _pid == 0 && !signalled -> skip } goto broadcast
    :: _pid > 0 || signalled
    fi;
#endif

#include "tollgate/release.pml"
#ifdef BROADCAST
#include "tollgate/broadcast.pml"
#endif

ends:
    atomic {
        ended++;
        assert(ended < N || is_free);
        invariant(ended < N || !any(DUE | GRANTED | SPINNER | HEIR | COMING | QUEUED))
    }
}

#ifdef CLAIM
#ifdef OF_RELEASES
/* A release ends, even if it is interrupted whenever it can be. */
ltl releases { [] (lets_go -> <> !lets_go) }
#else
/* A thread in the queue, or the heir, acquires, if hand-overs are revoked a finite number of times. */
ltl acquires { (<> [] !revoked) -> [] (stands -> <> !stands) }
#endif
#endif
