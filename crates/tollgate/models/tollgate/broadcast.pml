/*
 * requeue.rs, a part of the thread. Thread 0 broadcasts once, with the lock or without; until then the others may wait for that.
 * Those that are moved to the queue sleep until they are appointed; those that are let go acquire as who arrives.
 */
#define can_be_joined is_held

broadcast:
    signalled = 1;
    if
    :: d_step { !changing && !can_be_joined -> skip }
    :: d_step { !changing && can_be_joined ->
            do
            :: i < N && waits_for_condition[i] ->
                waits_for_condition[i] = 0;
                moved[i] = 1;
                enters(i);
                i++
            :: i < N && !waits_for_condition[i] -> i++
            :: i == N -> break
            od;
            i = 0;
#ifndef MOVES_WITHOUT_HEIR
            if
            :: length > 0 && !any(HEIR) -> take_first(); clear_queued()
            :: else
            fi;
#endif
            check() }
    fi;
    /* Those that were not moved. */
    atomic {
        do
        :: i < N -> waits_for_condition[i] = 0; i++
        :: i == N -> break
        od;
        i = 0
    }
    notify_appointee();
    if
    :: holder == _pid -> goto unlock
    :: holder != _pid -> goto again
    fi;

wait:
    if
    :: d_step { !waits_for_condition[_pid] && !moved[_pid] -> skip } goto arrive
    :: d_step { moved[_pid] && node[_pid] == APPOINTED -> moved[_pid] = 0; called = 1 } goto inherit
    fi;
