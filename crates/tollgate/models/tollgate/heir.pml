/* heir.rs, a part of the thread. */

inherit:
    /* Up to here, `called` means that the thread was appointed. */
    atomic { invariant(heir == _pid); has_spun = !called; called = 0; node[_pid] = WAITS };
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
    :: d_step { is_held && any(COMING) -> upper = upper & ~COMING; called = 1; check() }
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
            upper = upper | COMING;
            waits_no_longer();
            check() }
    fi;
    d_step { clear_queued(); changing = 0; check() };
    goto appoint;
