/* asymmetric.rs and release.rs, a part of the thread. */

    /* try_release() */
    begins_release();
unlock:
#ifdef STORE
    if
    :: d_step { !any(ATTENTIVE) -> in_sequence[_pid] = 1 }
    :: any(ATTENTIVE) -> goto release
#ifdef EXCHANGE
    :: goto release
#endif
    fi;
    /* Interrupted: by a barrier, or by the kernel, which does so at any time, and for a debugger each time. */
    if
    :: d_step { in_sequence[_pid] -> in_sequence[_pid] = 0; give(FREE); check() } goto again
#ifdef BEGINS_AGAIN
    :: d_step { in_sequence[_pid] -> in_sequence[_pid] = 0 } goto unlock
    :: !in_sequence[_pid] -> goto unlock
#else
    :: d_step { in_sequence[_pid] -> in_sequence[_pid] = 0 } goto release
    :: !in_sequence[_pid] -> goto release
#endif
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
    notify_appointee();
    goto again;

pop:
    if
#ifdef POPS_BLINDLY
    :: d_step { !changing ->
            if
            :: length > 0 -> take_first(); upper = upper | COMING
            :: else
            fi;
            upper = upper & ~CALL;
#else
    :: d_step { !changing && (any(HEIR) || length == 0) -> skip }
    :: d_step { !changing && !any(HEIR) && length > 0 ->
            take_first();
            upper = (upper & ~CALL) | COMING;
#endif
            clear_queued();
            check() }
    fi;
    goto release;
