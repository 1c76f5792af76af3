/* The lock's two words, what the kernel and the nodes add to them, and what is checked of them at every step. */

/* The upper half of the first word: as in word.rs. */
#define ATTENTIVE 1
#define CALL 2
#define DUE 4
#define GRANTED 8
#define SPINNER 16
#define HEIR 32
#define QUEUED 64
#define COMING 128

/* The lower half. The holder's mark is a hint for spinners: a thread spins or does not, whatever it says. */
#define FREE 0
#define HELD 1
#define HANDED_OVER 2

/* A node's state: as in queue.rs. */
#define WAITS 0
#define TAKEN 1
#define APPOINTED 2

#define NOBODY 255

byte lower = FREE;
byte upper = 0;

/* The threads in the queue, the first first. */
byte queue[N];
byte length = 0;
/* The queue's bit, where a thread that has set it changes the word twice. */
bit changing = 0;
byte node[N];

/* Who sleeps on its node, and who on the upper half. */
bit sleeps_on_node[N];
bit sleeps_on_word[N];
/* Who is between the load and the store of a release. An interruption clears it. */
bit in_sequence[N];

#ifdef BROADCAST
/* Who waits for a condition, or has been moved from there to the queue; and whether the broadcast has come. */
bit waits_for_condition[N];
bit moved[N];
bit signalled = 0;
#endif

/* From here on: what no thread looks at. Who holds, inherits and spins, as the protocol means it. */
byte holder = NOBODY;
byte heir = NOBODY;
byte spinner = NOBODY;
/* Whether the heir's patience is over, and how many others have acquired since, but for those who revoked. */
bit asked = 0;
byte passed_over = 0;
/* How many become the heir before a thread that stands in the queue. */
byte before[N];
byte ended = 0;
#ifdef CLAIM
/* Thread 0 stands in the queue or is the heir. */
bit stands = 0;
/* The holder has revoked a hand-over. */
bit revoked = 0;
#ifdef OF_RELEASES
/* Thread 0 releases. */
bit lets_go = 0;
#endif
#endif

#define has(bits) ((upper & (bits)) == (bits))
#define any(bits) ((upper & (bits)) != 0)
#define is_free (lower == FREE)
/* Whether nobody can acquire but by revocation. */
#define is_held (!is_free && !any(GRANTED))

/* To tell a mutant by what comes of it, not by a broken invariant. */
#ifdef OUTCOMES_ONLY
#define invariant(condition) skip
#else
#define invariant(condition) assert(condition)
#endif

/* The invariants of raw_mutex.rs. */
inline check()
{
    /* I1 */
    invariant((lower == HELD) == (holder != NOBODY));
    /* I2: that nobody else has the place is asserted where it is taken. */
    invariant(any(HEIR) == (heir != NOBODY));
    invariant(any(SPINNER) == (spinner != NOBODY));
    /* I3 */
    invariant(!any(QUEUED) || any(HEIR) || (any(CALL) && !is_free));
    /* I4: what is asked for is seen. */
    invariant(!any(DUE | GRANTED) || any(ATTENTIVE));
    /* I5 */
    invariant(changing || (any(QUEUED) == (length > 0)));
    /* I6 */
    invariant(any(GRANTED) == (lower == HANDED_OVER));
    invariant(!any(DUE | GRANTED | COMING) || any(HEIR))
}
