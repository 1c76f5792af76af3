//! The program that is debugged: pairs of one lock.

use std::env;
use std::hint::black_box;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

use tollgate::RawMutex;

/// Set in the process that is debugged: how many threads contend besides the one that counts.
pub const CONTENDERS: &str = "LOCKTOLL_TEST_CONTENDERS";
/// Pairs before the program ends.
pub const PAIRS: u64 = 20_000;

static LOCK: RawMutex = RawMutex::new();

/// The pairs so far, for the debugger.
#[unsafe(no_mangle)]
static LOCKTOLL_PAIRS: AtomicU64 = AtomicU64::new(0);
/// The first instruction of each restartable sequence, for the debugger.
#[unsafe(no_mangle)]
static LOCKTOLL_SEQUENCES: [AtomicUsize; 16] = [const { AtomicUsize::new(0) }; 16];
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

/// The program with which a debugger is started.
pub fn command(contenders: u32) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args([
            "--exact",
            "pairs::are_made_while_a_debugger_watches",
            "--nocapture",
        ])
        .env(CONTENDERS, contenders.to_string());
    command
}

#[test]
fn are_made_while_a_debugger_watches() {
    let contenders = env::var(CONTENDERS)
        .ok()
        .map_or(1, |it| it.parse().unwrap());
    RawMutex::prepare();
    for (place, sequence) in LOCKTOLL_SEQUENCES.iter().zip(sequences()) {
        place.store(sequence.start, Relaxed);
    }
    LOCKTOLL_SEQUENCES_LENGTH.store(sequences().len().min(LOCKTOLL_SEQUENCES.len()), Relaxed);
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
        let found = listed.iter().filter(|it| std::ptr::eq(**it, sequence));
        assert_eq!(found.count(), 1);
        let exit = exits.iter().find(|[start, _]| *start == sequence.start);
        let [_, exit] = exit.expect("it can be left without the store");
        assert!(!inside.contains(exit));
    }
    assert_eq!(listed.len(), sequences().len());
    assert_eq!(exits.len(), sequences().len());
}
