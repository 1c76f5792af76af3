//! The program that is debugged: pairs of one lock.

use std::env;
use std::hint::black_box;
use std::process::Command;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use locktoll_waiting::Condition;
use tollgate::RawMutex;

/// Set in the process that is debugged: how many threads contend besides the one that counts.
pub const CONTENDERS: &str = "LOCKTOLL_TEST_CONTENDERS";
/// Set in the process that is debugged: the debugger sets [`LOCKTOLL_WAITER_COMES`].
const DEBUGGER_DECIDES: &str = "LOCKTOLL_TEST_DEBUGGER_DECIDES";
/// Pairs before the program ends.
pub const PAIRS: u64 = 20_000;

static LOCK: RawMutex = RawMutex::new();

/// The pairs so far, for the debugger.
#[unsafe(no_mangle)]
static LOCKTOLL_PAIRS: AtomicU64 = AtomicU64::new(0);
/// Whether a thread begins to wait for the lock.
#[unsafe(no_mangle)]
static LOCKTOLL_WAITER_COMES: AtomicBool = AtomicBool::new(false);
/// The first instruction of each restartable sequence, for the debugger.
#[unsafe(no_mangle)]
static LOCKTOLL_SEQUENCES: [AtomicUsize; 16] = [const { AtomicUsize::new(0) }; 16];
/// The last instruction of each: the store that releases.
#[unsafe(no_mangle)]
static LOCKTOLL_STORES: [AtomicUsize; 16] = [const { AtomicUsize::new(0) }; 16];
/// How many there are.
#[unsafe(no_mangle)]
static LOCKTOLL_SEQUENCES_LENGTH: AtomicUsize = AtomicUsize::new(0);

/// `struct rseq_cs` of linux/rseq.h.
#[repr(C, align(32))]
struct Sequence {
    version_and_flags: u64,
    start: usize,
    bytes: usize,
    abort: usize,
}

unsafe extern "C" {
    // The linker's: the limits of the section that has the sequences, and of the one for debuggers that has their addresses.
    static __start___rseq_cs: Sequence;
    static __stop___rseq_cs: Sequence;
    static __start___rseq_cs_ptr_array: &'static Sequence;
    static __stop___rseq_cs_ptr_array: &'static Sequence;
    static __start___rseq_exit_point_array: [usize; 2];
    static __stop___rseq_exit_point_array: [usize; 2];
}

/// What a section contains.
fn section<T>(start: *const T, stop: *const T) -> &'static [T] {
    // SAFETY: the linker's symbols are the two ends of one array, which nobody writes to.
    unsafe { std::slice::from_raw_parts(start, stop.offset_from(start).cast_unsigned()) }
}

fn sequences() -> &'static [Sequence] {
    section(&raw const __start___rseq_cs, &raw const __stop___rseq_cs)
}

impl Sequence {
    /// The address of the last instruction, `mov dword ptr [register], 0`: an opcode of one or two bytes, the register, and four
    /// bytes of zero.
    fn store(&self) -> usize {
        let end = self.start + self.bytes;
        // SAFETY: instructions of the sequence, which is longer.
        let last: [u8; 7] = unsafe { *ptr::with_exposed_provenance(end - 7) };
        match last {
            [0x41, 0xc7, _, 0, 0, 0, 0] => end - 7,
            [_, 0xc7, _, 0, 0, 0, 0] => end - 6,
            _ => panic!("the sequence ends with another instruction: {last:x?}"),
        }
    }
}

/// The debugger stops the program here at first.
#[inline(never)]
#[unsafe(no_mangle)]
extern "C" fn locktoll_debugged_begins() {
    black_box(());
}

#[inline(never)]
#[unsafe(no_mangle)]
extern "C" fn locktoll_debugged_pair() {
    LOCK.lock();
    // SAFETY: I1: locked above.
    unsafe { LOCK.unlock() };
}

/// The program with which a debugger is started: one of this file's tests.
fn program(test: &str) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", &format!("pairs::{test}"), "--nocapture"]);
    command
}

/// A program that makes pairs while others contend.
pub fn command(contenders: u32) -> Command {
    let mut command = program("are_made_while_a_debugger_watches");
    command.env(CONTENDERS, contenders.to_string());
    command
}

/// A program in which a thread waits for a release after which nobody else acquires the lock.
pub fn last_release() -> Command {
    let mut command = program("the_last_release_ends_a_wait");
    command.env(DEBUGGER_DECIDES, "1");
    command
}

/// The same for two threads that wait for a condition: a broadcast by a thread that does not hold the lock moves them to its
/// queue.
pub fn last_release_after_a_broadcast() -> Command {
    let mut command = program("the_last_release_ends_waits_that_a_broadcast_moved");
    command.env(DEBUGGER_DECIDES, "1");
    command
}

/// The tests of this program use one lock, so they run one after the other.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    LOCKTOLL_WAITER_COMES.store(false, Relaxed);
    show_sequences();
    alone
}

/// Tells the debugger where the sequences are.
fn show_sequences() {
    RawMutex::prepare();
    for (index, sequence) in sequences().iter().enumerate() {
        LOCKTOLL_SEQUENCES[index].store(sequence.start, Relaxed);
        LOCKTOLL_STORES[index].store(sequence.store(), Relaxed);
    }
    LOCKTOLL_SEQUENCES_LENGTH.store(sequences().len(), Relaxed);
}

#[test]
fn are_made_while_a_debugger_watches() {
    let contenders = env::var(CONTENDERS)
        .ok()
        .map_or(1, |it| it.parse().unwrap());
    let _alone = alone();
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..contenders {
            scope.spawn(|| {
                while !over.load(Relaxed) {
                    locktoll_debugged_pair();
                }
            });
        }
        locktoll_debugged_begins();
        for _ in 0..PAIRS {
            locktoll_debugged_pair();
            LOCKTOLL_PAIRS.fetch_add(1, Relaxed);
        }
        over.store(true, Relaxed);
    });
    assert!(!LOCK.is_locked());
    assert_eq!(LOCKTOLL_PAIRS.load(Relaxed), PAIRS);
}

#[test]
fn the_last_release_ends_a_wait() {
    let _alone = alone();
    let waiter = thread::spawn(|| {
        sleep_until_the_debugger_decides();
        locktoll_debugged_pair();
    });
    LOCK.lock();
    release_before_the_debugger();
    waiter.join().unwrap();
    assert!(!LOCK.is_locked());
}

#[test]
fn the_last_release_ends_waits_that_a_broadcast_moved() {
    static CONDITION: Condition = Condition::new();
    static WAITERS: AtomicU64 = AtomicU64::new(0);

    let _alone = alone();
    let waiters = [0; 2].map(|_| {
        thread::spawn(|| {
            LOCK.lock();
            WAITERS.fetch_add(1, Relaxed);
            // SAFETY: I1: locked above, and released afterwards.
            unsafe {
                assert!(CONDITION.wait(&LOCK, None));
                LOCK.unlock();
            }
        })
    });
    loop {
        LOCK.lock();
        if WAITERS.load(Relaxed) == 2 {
            break;
        }
        // SAFETY: I1: locked above.
        unsafe { LOCK.unlock() };
        thread::sleep(Duration::from_millis(1));
    }
    // Only now: a broadcast without waiters is lost.
    let stranger = thread::spawn(|| {
        sleep_until_the_debugger_decides();
        CONDITION.broadcast();
    });
    release_before_the_debugger();
    for other in waiters.into_iter().chain([stranger]) {
        other.join().unwrap();
    }
    assert!(!LOCK.is_locked());
}

fn sleep_until_the_debugger_decides() {
    while !LOCKTOLL_WAITER_COMES.load(Relaxed) {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Releases the lock, which the caller holds, when the debugger has set its breakpoints.
fn release_before_the_debugger() {
    locktoll_debugged_begins();
    // Without a debugger, nothing else sets it.
    LOCKTOLL_WAITER_COMES.fetch_or(env::var_os(DEBUGGER_DECIDES).is_none(), Relaxed);
    // SAFETY: I1: the caller's.
    unsafe { LOCK.unlock() };
}

#[test]
fn debuggers_find_each_sequence_and_where_it_is_left() {
    let listed = section(
        &raw const __start___rseq_cs_ptr_array,
        &raw const __stop___rseq_cs_ptr_array,
    );
    let exits = section(
        &raw const __start___rseq_exit_point_array,
        &raw const __stop___rseq_exit_point_array,
    );
    assert!(!sequences().is_empty());
    for sequence in sequences() {
        assert_eq!(sequence.version_and_flags, 0);
        let inside = sequence.start..sequence.start + sequence.bytes;
        assert!(!inside.contains(&sequence.abort));
        let found = listed.iter().filter(|it| ptr::eq(**it, sequence));
        assert_eq!(found.count(), 1);
        let exit = exits.iter().find(|[start, _]| *start == sequence.start);
        let [_, exit] = exit.expect("it can be left without the store");
        assert!(!inside.contains(exit));
    }
    assert_eq!(listed.len(), sequences().len());
    assert_eq!(exits.len(), sequences().len());
}
