//! The owner of a mutex that no other thread of the process will release: the thread in its owner field has ended, belongs to another process,
//! or waits for the mutex itself.
//!
//! The kernel's programs follow owners that are threads of the watched process. If they know no owner, the mutex is read here, when the
//! figures are. Any word may hold a two, and any number may follow it, so only bytes that fit a locked mutex of glibc are believed
//! (`struct __pthread_mutex_s`; its first five fields have the same order on all 64-bit systems).

use std::collections::HashMap;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;

use locktoll_results::profile::{OwnerField, OwnerState};
use locktoll_terminal::system::files::{open_of_process, text_of_process};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use super::before_watching::threads_of;
use super::call::Call;
use super::gathered::{Gathered, Waiting};

/// Adds what the locks of waiting threads say of an owner that the kernel's programs did not recognise. `pid` maps a process's number to its
/// id.
pub fn add(gathered: &mut Gathered, pid: impl Fn(u32) -> u32) {
    let mut processes: HashMap<u32, Process> = HashMap::new();
    for waiting in &mut gathered.waiting {
        if waiting.owner != 0 || waiting.call != Call::Wait || waiting.value != LOCKED {
            continue;
        }
        let process = processes
            .entry(waiting.process)
            .or_insert_with(|| Process::open(pid(waiting.process)));
        waiting.owner_field = process.owner_field(waiting);
    }
}

/// The value of a mutex that threads wait for.
const LOCKED: u32 = 2;
/// The fields up to the kind, in bytes.
const FIELDS: usize = 20;
/// The bits of a kind whose word is used this way: the four types, process-shared, and the two of lock elision.
const KINDS: u32 = 3 | 128 | 256 | 512;
/// `PTHREAD_MUTEX_RECURSIVE`, the only type that counts its acquisitions.
const RECURSIVE: u32 = 1;

/// Returns the owner of a locked mutex; `None` if these bytes are not a locked mutex of glibc.
fn owner_of(fields: &[u8; FIELDS]) -> Option<u32> {
    let (fields, _) = fields.as_chunks::<4>();
    let [word, count, owner, users, kind] = fields else {
        return None;
    };
    let [word, count, owner, users, kind] =
        [word, count, owner, users, kind].map(|it| u32::from_ne_bytes(*it));
    let counts = (kind & 3 == RECURSIVE) == (count > 0);
    let is_mutex = word == LOCKED && kind & !KINDS == 0 && users > 0 && counts;
    // Thread ids have 22 bits (linux/threads.h, PID_MAX_LIMIT).
    (is_mutex && owner > 0 && owner <= 1 << 22).then_some(owner)
}

/// The bit that makes a robust mutex's word its owner's id, and the bits of that id.
const ROBUST_WAITERS: u32 = 0x8000_0000;
/// The bits of a word or an owner field that are a thread's id (`FUTEX_TID_MASK`).
pub const OWNER: u32 = 0x3fff_ffff;

/// Returns the address at which the lock that is waited for by such a call names its owner, as `owner_address` of
/// `bpf/holders.bpf.h` does; `None` if it does not.
pub fn address(call: Call, value: u32, word: u64) -> Option<u64> {
    const OWNER_AT: u64 = 8;
    match call {
        Call::LockPi => Some(word),
        Call::Wait if value & ROBUST_WAITERS != 0 => Some(word),
        Call::Wait if value == LOCKED => Some(word.wrapping_add(OWNER_AT)),
        _ => None,
    }
}

struct Process {
    pid: u32,
    memory: Option<File>,
    /// The threads by the ids that the process itself sees.
    threads: Vec<u32>,
    /// Whether the process numbers threads as we do.
    has_our_numbers: bool,
}

impl Process {
    fn open(process: u32) -> Self {
        let numbers = |whose: &str| fs::read_link(format!("/proc/{whose}/ns/pid")).ok();
        let theirs = numbers(&process.to_string());
        Self {
            pid: process,
            memory: open_of_process(process, "mem").ok(),
            threads: threads_of(process).into_iter().map(|it| it.1).collect(),
            has_our_numbers: theirs.is_some() && theirs == numbers("self"),
        }
    }

    fn owner_field(&self, waiting: &Waiting) -> Option<OwnerField> {
        let mut fields = [0; FIELDS];
        let memory = self.memory.as_ref()?;
        memory.read_exact_at(&mut fields, waiting.word).ok()?;
        let tid = owner_of(&fields)?;
        let (state, pid) = if tid == waiting.thread {
            (OwnerState::TheWaiter, None)
        } else if self.threads.contains(&tid) {
            // It owns the lock since a moment ago, or the kernel's programs had no room for it.
            return None;
        } else if !self.has_our_numbers {
            (OwnerState::NotOfThisProcess, None)
        } else {
            match process_of(tid) {
                // It has been started since the threads were listed.
                Some(pid) if pid == self.pid => return None,
                Some(pid) => (OwnerState::OfAnotherProcess, Some(pid)),
                None if has_ended(tid) => (OwnerState::Ended, None),
                // It is hidden from us (`hidepid`, proc(5)).
                None => (OwnerState::NotOfThisProcess, None),
            }
        };
        Some(OwnerField { tid, state, pid })
    }
}

/// Whether no thread has this id. The kernel is asked, since `/proc` may hide the threads of others.
fn has_ended(thread: u32) -> bool {
    let thread = i32::try_from(thread).ok().and_then(Pid::from_raw);
    thread.is_some_and(|thread| test_kill_process(thread) == Err(Errno::SRCH))
}

/// Returns the process of a thread; `None` if no thread that we may see has this id.
fn process_of(thread: u32) -> Option<u32> {
    let status = text_of_process(thread, "status").ok()?;
    let group = status.lines().find_map(|line| line.strip_prefix("Tgid:"))?;
    group.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fields: [u32; 5]) -> Option<u32> {
        let bytes: Vec<u8> = fields.iter().flat_map(|it| it.to_ne_bytes()).collect();
        owner_of(&bytes.try_into().unwrap())
    }

    #[test]
    fn a_taken_mutex_names_its_owner() {
        const RECURSIVE_SHARED: u32 = RECURSIVE | 128;
        assert_eq!(of([2, 0, 4711, 1, 0]), Some(4711));
        assert_eq!(of([2, 3, 4711, 1, RECURSIVE_SHARED]), Some(4711));
        assert_eq!(of([2, 0, 4711, 1, 3]), Some(4711));
    }

    #[test]
    fn a_lock_names_its_owner_behind_its_word_or_in_it() {
        assert_eq!(address(Call::Wait, LOCKED, 0x100), Some(0x108));
        assert_eq!(
            address(Call::Wait, 4711 | ROBUST_WAITERS, 0x100),
            Some(0x100)
        );
        assert_eq!(address(Call::LockPi, 0, 0x100), Some(0x100));
        assert_eq!(address(Call::Wait, 0, 0x100), None);
        assert_eq!(address(Call::WaitV, LOCKED, 0x100), None);
    }

    #[test]
    fn what_is_no_taken_mutex_names_nobody() {
        for fields in [
            // Free, or without waiters.
            [0, 0, 0, 0, 0],
            [1, 0, 4711, 1, 0],
            // No owner, no user, no thread's number.
            [2, 0, 0, 1, 0],
            [2, 0, 4711, 0, 0],
            [2, 0, (1 << 22) + 1, 1, 0],
            // A count without a type that counts, and the other way round.
            [2, 1, 4711, 1, 0],
            [2, 0, 4711, 1, RECURSIVE],
            // Robust, or with priority inheritance: their word is the owner; and no kind at all.
            [2, 0, 4711, 1, 16],
            [2, 0, 4711, 1, 32],
            [2, 0, 4711, 1, 0x7f00],
        ] {
            assert_eq!(of(fields), None, "{fields:?}");
        }
    }

    #[test]
    fn the_process_of_a_thread_is_found_and_of_none_is_not() {
        let own = std::thread::spawn(|| process_of(rustix::thread::gettid().as_raw_pid() as u32));
        assert_eq!(own.join().unwrap(), Some(std::process::id()));
        assert_eq!(process_of((1 << 22) + 1), None);
        // The first process is another user's in most tests, and there all the same.
        assert!(has_ended((1 << 22) + 1) && !has_ended(1));
        let own = std::thread::spawn(|| has_ended(rustix::thread::gettid().as_raw_pid() as u32));
        assert!(!own.join().unwrap());
    }
}
