/*
 * The protocol of the mutex `Tollgate` (../src/tollgate.rs). What is modelled and what is not: README.md.
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
#ifdef BROADCAST
    /* It is in the midst of a broadcast. */
    bit returns;
#endif

again:
    atomic { forget() };
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

    /* lock(), glance(), arrive() */
arrive:
    if
    :: d_step { is_free -> end_to_spin(); acquire(0); check() } goto critical
    :: d_step { any(GRANTED) -> skip } goto enlist
    :: d_step { is_held && !spins && !any(SPINNER) -> begin_to_spin(); check() } goto arrive
    :: d_step { is_held && timed -> give_up_to_spin(); check() } goto again
    :: d_step { is_held && any(HEIR | QUEUED) -> skip } goto enlist
    :: d_step { is_held && !any(HEIR | QUEUED) ->
            give_up_to_spin();
            inherits(_pid);
            waits();
            check() } goto inherit
    fi;

enlist:
    if
    :: d_step { !changing && (is_free || !any(HEIR | QUEUED)) -> skip } goto arrive
    :: d_step { !changing && !is_free && any(HEIR | QUEUED) ->
            give_up_to_spin();
            enters(_pid);
            during = any(GRANTED);
            waits();
            check() }
    fi;

    /* queue_up() */
stand:
    if
    :: d_step { node[_pid] == APPOINTED -> during = 0; called = 1 } goto inherit
    :: d_step { node[_pid] != APPOINTED && timed -> skip } goto leave
    :: d_step { node[_pid] != APPOINTED && during -> during = 0 } goto revoke
    :: d_step { node[_pid] != APPOINTED -> sleeps_on_node[_pid] = 1 }
    fi;
    if
    :: !sleeps_on_node[_pid]
    :: d_step { timed || during -> sleeps_on_node[_pid] = 0 }
    fi;
    goto stand;

revoke:
    if
    :: d_step { !changing && node[_pid] == WAITS && any(GRANTED) ->
#ifndef GRANTED_STAYS
            upper = upper & ~GRANTED;
#endif
#ifndef DUE_ENDS
            upper = upper | DUE | ATTENTIVE;
#endif
            leaves();
            acquire(1);
            check() } goto critical
    :: d_step { !changing && !(node[_pid] == WAITS && any(GRANTED)) -> skip } goto stand
    fi;

leave:
    if
    :: d_step { !changing && node[_pid] == WAITS -> leaves(); during = 0; waits_no_longer(); check() } goto again
    :: d_step { !changing && node[_pid] != WAITS -> during = 0 }
    fi;
    do
    :: d_step { node[_pid] == APPOINTED -> called = 1 } break
    :: d_step { node[_pid] != APPOINTED -> sleeps_on_node[_pid] = 1 } !sleeps_on_node[_pid]
    od;

inherit:
    atomic { invariant(heir == _pid); has_spun = !called; node[_pid] = WAITS };
#ifdef ENDLESS
    if
    :: endless = 0
    :: endless = 1
    fi;
#endif

    /* inherit(): one turn of its loop */
look:
    if
    :: d_step { !is_held ->
            upper = upper & ~(GRANTED | ATTENTIVE);
            if
            :: any(QUEUED) ->
                upper = upper | ATTENTIVE;
                end_to_inherit();
#ifndef QUEUE_UNCALLED
                upper = upper | CALL
#endif
            :: else -> end_to_inherit()
            fi;
            acquire(0);
            check() } goto critical
    :: d_step { is_held && any(COMING) -> upper = upper & ~COMING; check() }
    :: d_step { is_held && !any(COMING) && timed -> overtaken = overtaken | called; called = 0 } goto abdicate
    :: d_step { is_held && !any(COMING) && !any(DUE) && (due || !endless) ->
            overtaken = overtaken | called; called = 0;
            interrupts = !any(ATTENTIVE);
            upper = upper | DUE | ATTENTIVE;
            due = 1; asked = 1; has_spun = 0;
            check() } goto interrupt
    :: d_step { is_held && !any(COMING) && (any(DUE) || !due) && !has_spun && !any(SPINNER) ->
            overtaken = overtaken | called; called = 0;
            begin_to_spin();
            has_spun = 1;
            check() }
        /* spin_as_heir() */
        d_step { give_up_to_spin(); check() }
    :: d_step { is_held && !any(COMING) && !any(DUE) && !due && (overtaken || called) ->
            overtaken = 1; called = 0;
            upper = upper & ~(CALL | ATTENTIVE);
            check() }
        /* It naps, for as long as it likes. */
        time_passes()
    :: d_step { is_held && !any(COMING) && (any(DUE) || !(due || overtaken || called)) && !has(CALL | ATTENTIVE) ->
            overtaken = overtaken | called; called = 0;
            interrupts = !any(ATTENTIVE);
            upper = upper | CALL | ATTENTIVE;
            seen = upper;
            if
            :: !any(DUE) -> time_passes()
            :: else
            fi;
            check() } goto interrupt
    :: d_step { is_held && !any(COMING) && (any(DUE) || !(due || overtaken || called)) && has(CALL | ATTENTIVE) ->
            overtaken = overtaken | called; called = 0;
            seen = upper } goto sleep
    fi;
    goto look;

    /* ask_for_attention(): one thread after the other */
interrupt:
#ifndef NO_BARRIER
    do
    :: d_step { interrupts && i < N -> in_sequence[i] = 0; i++ }
    :: d_step { interrupts && i == N -> i = 0; interrupts = 0 }
#ifdef NO_LOOK
        if
        :: seen > 0 -> goto sleep
        :: else
        fi
#endif
    :: d_step { !interrupts -> seen = 0 } goto look
    od;
#else
    atomic { interrupts = 0; seen = 0 }
    goto look;
#endif

sleep:
    if
    :: upper != seen
    :: d_step { upper == seen -> sleeps_on_word[_pid] = 1 }
        if
        :: !sleeps_on_word[_pid]
        :: d_step { !(seen & DUE) && !endless -> due = 1; sleeps_on_word[_pid] = 0 }
        :: d_step { timed -> sleeps_on_word[_pid] = 0 }
        fi
    fi;
    d_step {
        called = ((seen & CALL) && !any(CALL));
        seen = 0; has_spun = 0;
        if
        :: !any(DUE) -> time_passes()
        :: else
        fi
    }
    goto look;

abdicate:
    if
    :: d_step { !changing && !is_held -> skip } goto look
    :: d_step { !changing && is_held && !any(QUEUED) -> end_to_inherit(); waits_no_longer(); check() } goto again
    :: d_step { !changing && is_held && any(QUEUED) ->
            changing = 1;
            end_to_inherit();
            take_first();
            waits_no_longer();
            check() }
    fi;
    d_step { clear_queued(); changing = 0; check() };
    goto appoint;

critical:
    atomic { forget() };
#ifdef BROADCAST
    if
    :: d_step { _pid == 0 && !signalled -> skip } goto broadcast
    :: _pid > 0 || signalled
    fi;
#endif

    /* try_release() */
unlock:
#ifdef STORE
    if
    :: d_step { !any(ATTENTIVE) -> in_sequence[_pid] = 1 }
    :: any(ATTENTIVE) -> goto release
#ifdef EXCHANGE
    :: goto release
#endif
    fi;
    if
    :: d_step { in_sequence[_pid] -> in_sequence[_pid] = 0; give(FREE); check() } goto again
    :: !in_sequence[_pid] -> goto unlock
    fi;
#endif

#ifdef SPINNER_BEFORE_QUEUE
#define appoints (has(CALL | QUEUED) && !any(HEIR | SPINNER))
#else
#define appoints (has(CALL | QUEUED) && !any(HEIR))
#endif
#ifdef DUE_FORGOTTEN
#define hands_over false
#else
#define hands_over any(DUE)
#endif
release:
    if
    :: appoints -> goto pop
    :: d_step { !appoints && hands_over ->
            wakes = any(CALL);
            upper = (upper & ~(DUE | CALL)) | GRANTED;
            give(HANDED_OVER);
            check() }
    :: d_step { !appoints && !hands_over && any(CALL) && !any(SPINNER) ->
            wakes = any(HEIR);
            upper = (upper & ~CALL) | (wakes -> COMING : 0);
            give(FREE);
            check() }
    :: d_step { !appoints && !hands_over && has(CALL | SPINNER) && any(HEIR | QUEUED) ->
            give(FREE);
            check() }
    :: d_step { !appoints && !hands_over && (!any(CALL) || any(SPINNER) && !any(HEIR | QUEUED)) ->
            upper = upper & ~(CALL | ATTENTIVE);
            give(FREE);
            check() }
    fi;
    if
#ifdef WAKES_NOBODY
    :: wakes -> wakes = 0
#else
    :: d_step { wakes -> wakes = 0; wake_on_word() }
#endif
    :: !wakes
    fi;

appoint:
    if
    :: d_step { appointee != NOBODY -> assert(node[appointee] == TAKEN); node[appointee] = APPOINTED }
        d_step { sleeps_on_node[appointee] = 0; appointee = NOBODY }
    :: appointee == NOBODY
    fi;
#ifdef BROADCAST
    if
    :: d_step { returns -> returns = 0 } goto admit
    :: !returns
    fi;
#endif
    goto again;

pop:
    if
#ifdef POPS_BLINDLY
    :: d_step { !changing ->
            if
            :: length > 0 -> take_first()
            :: else
            fi;
            upper = upper & ~CALL;
#else
    :: d_step { !changing && (any(HEIR) || length == 0) -> skip }
    :: d_step { !changing && !any(HEIR) && length > 0 ->
            take_first();
            upper = upper & ~CALL;
#endif
            clear_queued();
            check() }
    fi;
    goto release;

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
/* Whoever stands in the queue or is the heir acquires, if hand-overs are revoked a finite number of times. */
ltl acquires { (<> [] !revoked) -> [] (stands -> <> !stands) }
#endif
