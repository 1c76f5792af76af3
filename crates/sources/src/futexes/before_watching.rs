//! The state before the programs are attached: the process's threads, and those of them that already wait.

use std::fs;

use super::call::Call;
use super::gathered::{Gathered, Waiting};
use super::raw;
use crate::ebpf::Loaded;
use locktoll_terminal::system::files::text_of_process;

/// Registers the threads of `process`, which has the number `number`, so that a lock's owner is recognised before it has waited
/// or been preempted itself.
pub fn note_threads(loaded: &mut Loaded, number: u32, process: u32) -> anyhow::Result<()> {
    let mut threads = loaded.hash_mut::<raw::ThreadKey, raw::Thread>("threads")?;
    for (global, thread) in threads_of(process) {
        let key = raw::ThreadKey {
            process: number,
            thread,
        };
        let entry = raw::Thread::new(number, thread, global, &comm(process, global));
        // An existing entry knows more than we do. A thread for which there is no room is counted when it waits.
        let _ = threads.insert(key, entry, NO_EXIST);
    }
    Ok(())
}

/// `BPF_NOEXIST`.
const NO_EXIST: u64 = 1;

/// Adds the threads that wait for a futex and whose wait began before the programs could see it.
pub fn add_waiting(gathered: &mut Gathered, number: u32, process: u32) {
    for (global, thread) in threads_of(process) {
        if gathered
            .waiting
            .iter()
            .any(|known| known.process == number && known.thread == thread)
        {
            continue;
        }
        let Ok(line) = text_of_process(process, &format!("task/{global}/syscall")) else {
            continue;
        };
        if let Some(call) = parse_syscall(&line) {
            gathered.waiting.push(Waiting {
                process: number,
                thread,
                ..call
            });
        }
    }
}

/// Returns the threads of a process: their ids here, and the ids that the process itself sees.
pub fn threads_of(process: u32) -> Vec<(u32, u32)> {
    let Ok(folder) = fs::read_dir(format!("/proc/{process}/task")) else {
        return Vec::new();
    };
    folder
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .map(|global| {
            let status = text_of_process(process, &format!("task/{global}/status"));
            (
                global,
                status.ok().and_then(|s| innermost(&s)).unwrap_or(global),
            )
        })
        .collect()
}

fn comm(process: u32, global: u32) -> String {
    text_of_process(process, &format!("task/{global}/comm")).unwrap_or_default()
}

/// Returns the last number of the line `NSpid:`, that is, the id that the thread itself sees.
fn innermost(status: &str) -> Option<u32> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("NSpid:"))?;
    line.split_whitespace().next_back()?.parse().ok()
}

/// Parses `/proc/PID/task/TID/syscall` of a thread that waits for one futex: number, arguments, stack pointer, program counter.
fn parse_syscall(line: &str) -> Option<Waiting> {
    let mut words = line.split_whitespace();
    let number: i64 = words.next()?.parse().ok()?;
    let arguments: Vec<u64> = words
        .map(|word| u64::from_str_radix(word.strip_prefix("0x")?, 16).ok())
        .collect::<Option<_>>()?;
    let [word, second, third, fourth, ..] = arguments[..] else {
        return None;
    };
    // Arguments have 32 bits: the upper half of the register can hold anything.
    let (call, op, value) = match number {
        NR_FUTEX => (wait_of_op(second as u32)?, second as u32, third as u32),
        NR_FUTEX_WAIT => (Call::Wait, fourth as u32, second as u32),
        _ => return None,
    };
    Some(Waiting {
        word,
        call,
        op,
        value,
        ..Waiting::default()
    })
}

const NR_FUTEX: i64 = libc::SYS_futex;
const NR_FUTEX_WAIT: i64 = 455;

/// An interface for the fuzz targets alone.
pub fn fuzzed(text: &str) {
    let _ = (innermost(text), parse_syscall(text));
}

/// Returns the waiting call that performs the operation `op`.
fn wait_of_op(op: u32) -> Option<Call> {
    match op & 0x7f {
        0 | 9 => Some(Call::Wait),
        6 | 13 => Some(Call::LockPi),
        11 => Some(Call::WaitRequeuePi),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_in_a_futex_wait_is_read_from_proc() {
        let line =
            format!("{NR_FUTEX} 0x7f00deadbe10 0x189 0x2 0x0 0x0 0xffffffff 0x7ffc0 0x7f01\n");
        let waiting = parse_syscall(&line).expect("a wait");
        assert_eq!((waiting.word, waiting.op), (0x7f00_dead_be10, 0x189));
        assert_eq!((waiting.value, waiting.call), (2, Call::Wait));
        assert_eq!(waiting.wait_ns, None);
    }

    #[test]
    fn one_that_wakes_runs_or_sleeps_elsewhere_is_not() {
        let wake = format!("{NR_FUTEX} 0x1000 0x81 0x1 0x0 0x0 0x0 0x7ffc0 0x7f01");
        for line in [
            "running",
            "-1 0x7ffc0 0x7f01",
            "35 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8",
            &wake,
            "",
        ] {
            assert_eq!(parse_syscall(line), None, "{line}");
        }
    }

    #[test]
    fn the_number_that_a_thread_itself_sees_is_the_last() {
        assert_eq!(
            innermost("Name:\tx\nNSpid:\t4711\t12\t3\nNSpgid:\t1\n"),
            Some(3)
        );
        assert_eq!(innermost("NSpid:\t4711\n"), Some(4711));
        assert_eq!(innermost("Name:\tx\n"), None);
    }
}
