/*
 * requeue.rs, a part of the thread. Thread 0 broadcasts once, with the lock or without; until then the others may wait for that.
 * Those that are moved to the queue sleep until they are appointed; those that are let go acquire as who arrives.
 */
#define can_be_joined is_held

broadcast:
    signalled = 1;
    /* has_attention() */
    if
    :: d_step { !can_be_joined -> skip } goto let_go
    :: d_step { can_be_joined && any(ATTENTIVE) -> skip } goto admit
    :: d_step { can_be_joined && !any(ATTENTIVE) -> upper = upper | ATTENTIVE; check() }
    fi;
#ifndef MOVES_WITHOUT_BARRIER
    do
    :: d_step { i < N -> in_sequence[i] = 0; i++ }
    :: d_step { i == N -> i = 0 } break
    od;
#endif
    if
#ifndef MOVES_WITHOUT_LOOK
    :: d_step { is_free && any(HEIR | QUEUED) -> returns = 1; acquire(0); check() } goto release
    :: d_step { !(is_free && any(HEIR | QUEUED)) -> skip } goto admit
#else
    :: true
#endif
    fi;

admit:
    if
    :: d_step { !changing && !(can_be_joined && any(ATTENTIVE)) -> skip }
    :: d_step { !changing && can_be_joined && any(ATTENTIVE) ->
            do
            :: i < N && waits_for_condition[i] ->
                waits_for_condition[i] = 0;
                moved[i] = 1;
                enters(i);
                upper = upper | CALL;
                i++
            :: i < N && !waits_for_condition[i] -> i++
            :: i == N -> break
            od;
            i = 0;
            check() }
    fi;
let_go:
    atomic {
        do
        :: i < N -> waits_for_condition[i] = 0; i++
        :: i == N -> break
        od;
        i = 0
    }
    if
    :: holder == _pid -> goto unlock
    :: holder != _pid -> goto again
    fi;

wait:
    if
    :: d_step { !waits_for_condition[_pid] && !moved[_pid] -> skip } goto arrive
    :: d_step { moved[_pid] && node[_pid] == APPOINTED -> moved[_pid] = 0; called = 1 } goto inherit
    fi;
