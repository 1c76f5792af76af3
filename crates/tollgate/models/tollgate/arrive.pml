/* arrive.rs and queue.rs, a part of the thread: it arrives, and stands in the queue. */

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
