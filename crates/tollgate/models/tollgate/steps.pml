/* Parts of steps. Each but notify_appointee() is used inside of one d_step or atomic. `i` is the thread's, and 0 between its steps. */

inline acquire(revokes)
{
    assert(holder == NOBODY);
    holder = _pid;
    lower = HELD;
    if
    :: asked && heir != _pid && !revokes -> passed_over++; assert(passed_over <= MOST_PASSED_OVER)
    :: else
    fi;
#ifdef CLAIM
    revoked = revokes;
#endif
    waits_no_longer()
}

/* The holder's last step: the lock is free or handed over. */
inline give(to)
{
    assert(holder == _pid);
    holder = NOBODY;
    lower = to;
#ifdef CLAIM
    revoked = 0
#endif
}

inline begin_to_spin()
{
    invariant(spinner == NOBODY);
    spinner = _pid;
    spins = 1;
    upper = upper | SPINNER
}

inline end_to_spin()
{
    if
    :: spins -> invariant(spinner == _pid); spinner = NOBODY; spins = 0; upper = upper & ~SPINNER
    :: else
    fi
}

/* What a waiter does that spins no longer. */
inline give_up_to_spin()
{
#ifdef SPINNER_STAYS
    if
    :: spins -> spinner = NOBODY; spins = 0
    :: else
    fi
#else
    end_to_spin()
#endif
}

/* I2; and of those in the queue each has one less before it. */
inline inherits(who)
{
    invariant(heir == NOBODY);
    heir = who;
    upper = upper | HEIR;
    do
    :: i < length -> assert(before[queue[i]] > 0); before[queue[i]]--; i++
    :: else -> break
    od;
    i = 0
}

inline end_to_inherit()
{
    invariant(heir == _pid);
    heir = NOBODY;
    asked = 0;
    passed_over = 0;
    upper = upper & ~(HEIR | COMING | DUE | CALL)
}

inline enters(who)
{
    queue[length] = who;
    node[who] = WAITS;
    before[who] = length;
    length++;
    upper = upper | QUEUED
}

/* Thread 0 is in the queue or the heir. */
inline waits()
{
#ifdef CLAIM
    stands = stands | (_pid == 0)
#else
    skip
#endif
}

inline waits_no_longer()
{
#ifdef CLAIM
    stands = stands & (_pid != 0)
#else
    skip
#endif
}

/* Thread 0 releases, from here on. */
inline begins_release()
{
#ifdef OF_RELEASES
    lets_go = (_pid == 0 -> 1 : lets_go)
#else
    skip
#endif
}

inline ends_release()
{
#ifdef OF_RELEASES
    lets_go = (_pid == 0 -> 0 : lets_go)
#else
    skip
#endif
}

/* Takes the one at place `i` out. */
inline unlink()
{
    do
    :: i + 1 < length -> queue[i] = queue[i + 1]; i++
    :: else -> break
    od;
    i = 0;
    length--;
    queue[length] = 0
}

inline leaves()
{
    do
    :: queue[i] != _pid -> i++
    :: else -> break
    od;
    unlink();
    before[_pid] = 0;
    clear_queued()
}

inline clear_queued()
{
#ifdef QUEUED_STAYS
    skip
#else
    if
    :: length == 0 -> upper = upper & ~QUEUED
    :: else
    fi
#endif
}

/* Takes the first out, whom the caller must appoint. */
inline take_first()
{
    assert(appointee == NOBODY);
    appointee = queue[0];
    assert(node[appointee] == WAITS);
    node[appointee] = TAKEN;
    unlink();
    inherits(appointee)
}

/* Two steps: the one taken out is appointed, and then woken. */
inline notify_appointee()
{
    if
    :: d_step { appointee != NOBODY -> assert(node[appointee] == TAKEN); node[appointee] = APPOINTED }
        d_step { sleeps_on_node[appointee] = 0; appointee = NOBODY }
    :: appointee == NOBODY
    fi
}

inline wake_on_word()
{
    do
    :: i < N && !sleeps_on_word[i] -> i++
    :: i < N && sleeps_on_word[i] -> sleeps_on_word[i] = 0; break
    :: i == N -> break
    od;
    i = 0
}

/* Deadlines come at any moment. The claim about the future needs one that comes at last. */
inline time_passes()
{
#ifdef CLAIM
    if
    :: rests < MOST_RESTS -> rests++
    :: else
    fi;
    due = due | (rests == MOST_RESTS)
#else
    skip
#endif
}

inline forget()
{
    spins = 0; timed = 0; called = 0; overtaken = 0; has_spun = 0; due = 0; endless = 0; interrupts = 0; wakes = 0;
    rests = 0; seen = 0; appointee = NOBODY
}
