//! The threads of a process, and what /proc says of each.

use crate::futexes::threads_of;
use locktoll_terminal::system::files::text_of_process;

/// What /proc says of a thread that sleeps in a system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InCall {
    /// The number of the system call.
    pub number: i64,
    /// Its arguments.
    pub arguments: [u64; 6],
    /// The stack pointer.
    pub sp: u64,
    /// The instruction behind the call.
    pub ip: u64,
}

/// Reads `/proc/PID/task/TID/syscall`; `None` for a thread that runs, or sleeps elsewhere, or has ended.
pub fn in_call(process: u32, thread: u32) -> Option<InCall> {
    parse(&text_of_process(process, &format!("task/{thread}/syscall")).ok()?)
}

/// Whether `/proc/PID/task/TID/syscall` can be read here at all: a kernel may have been built without it.
pub fn shows_calls() -> bool {
    text_of_process(std::process::id(), "syscall").is_ok()
}

fn parse(line: &str) -> Option<InCall> {
    let mut words = line.split_ascii_whitespace();
    let number = words.next()?.parse().ok().filter(|&number| number >= 0)?;
    let mut word = || u64::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok();
    let mut arguments = [0; 6];
    for argument in &mut arguments {
        *argument = word()?;
    }
    Some(InCall {
        number,
        arguments,
        sp: word()?,
        ip: word()?,
    })
}

/// Returns the name of a thread.
pub fn name(process: u32, thread: u32) -> String {
    let name = text_of_process(process, &format!("task/{thread}/comm"));
    name.unwrap_or_default().trim_end_matches('\n').to_owned()
}

/// Whether all threads of a process have ended or are about to: a thread gives up its memory before it is gone.
pub fn is_ending(process: u32) -> bool {
    let mut threads = threads_of(process).into_iter();
    threads.all(|(thread, _)| {
        let stat = text_of_process(process, &format!("task/{thread}/stat"));
        stat.map_or(true, |stat| ends(&stat))
    })
}

/// Whether a line of `/proc/PID/task/TID/stat` is that of a thread that ends.
fn ends(stat: &str) -> bool {
    /// `PF_EXITING` (linux/sched.h), in the ninth field.
    const EXITING: u32 = 4;
    let Some((_, rest)) = stat.rsplit_once(") ") else {
        return true;
    };
    let mut fields = rest.split(' ');
    let state = fields.next().unwrap_or_default();
    let flags = fields.nth(5).and_then(|it| it.parse::<u32>().ok());
    ["Z", "X"].contains(&state) || flags.is_some_and(|it| it & EXITING != 0)
}

/// Returns the state of a thread, as the kernel abbreviates it (proc_pid_stat(5)); `None` if it has ended.
pub fn state(process: u32, thread: u32) -> Option<char> {
    let stat = text_of_process(process, &format!("task/{thread}/stat")).ok()?;
    // The name is in brackets, and may itself contain brackets.
    let (_, rest) = stat.rsplit_once(") ")?;
    rest.chars().next()
}

/// Returns how often a thread has left its CPU, voluntarily and involuntarily. A thread that has slept at two moments, and whose
/// counts are the same, has not run in between.
pub fn switches(process: u32, thread: u32) -> Option<(u64, u64)> {
    let status = text_of_process(process, &format!("task/{thread}/status")).ok()?;
    let count = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().parse().ok()
    };
    Some((
        count("voluntary_ctxt_switches:")?,
        count("nonvoluntary_ctxt_switches:")?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_ends_by_its_state_or_its_flags() {
        let line = |state: char, flags: u32| format!("7 (a) b) {state} 1 7 7 0 -1 {flags} 90 0");
        assert!(!ends(&line('S', 0x40_0040)) && !ends(&line('R', 0)));
        assert!(ends(&line('R', 0x40_0044)) && ends(&line('Z', 0)) && ends(&line('X', 0)));
        assert!(!is_ending(std::process::id()));
        assert!(is_ending(u32::MAX), "there is none");
    }

    #[test]
    fn a_sleeping_thread_shows_its_call() {
        let line = "202 0x7f00deadbe10 0x189 0x2 0x0 0x0 0xffffffff 0x7ffc0 0x7f01\n";
        let call = parse(line).unwrap();
        assert_eq!((call.number, call.sp, call.ip), (202, 0x7ffc0, 0x7f01));
        assert_eq!(call.arguments[..3], [0x7f00_dead_be10, 0x189, 2]);
        for line in ["running\n", "", "-1 0x7ffc0 0x7f01\n", "202 0x1 x y"] {
            assert_eq!(parse(line), None, "{line}");
        }
    }

    #[test]
    fn this_thread_runs_and_its_switches_are_counted() {
        let (own, thread) = (std::process::id(), rustix::thread::gettid().as_raw_pid());
        let thread = thread.cast_unsigned();
        assert_eq!(state(own, thread), Some('R'));
        assert!(switches(own, thread).is_some());
        assert!(!name(own, thread).is_empty());
        assert_eq!(state(own, 1 << 23), None);
    }
}
