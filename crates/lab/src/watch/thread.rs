//! The contents of `/proc` for one thread (proc_pid_status(5), proc_pid_schedstat(5)).

use crate::platform::linux::Tree;

/// One thread's counters since its start, at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ThreadReading {
    /// The thread's name, as it was set: any bytes but NUL.
    pub(super) name: String,
    /// `R`, `S`, `D`, `T`, `t`, `Z`, `X`, `I` or a later letter.
    pub(super) state: char,
    /// Whether it is a kernel thread: those have no address space.
    pub(super) kernel: bool,
    /// Switches because the thread had to wait.
    pub(super) voluntary: u64,
    /// Switches while the thread could have continued, including `sched_yield`.
    pub(super) involuntary: u64,
    /// Times of running and of waiting to run, where the kernel accounts for them.
    pub(super) run: Option<RunTimes>,
    /// How often it was moved to another CPU, if that was requested (`/proc/PID/task/TID/sched`).
    pub(super) migrations: Option<u64>,
}

/// How much to read for each thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// Switches and CPU times.
    Counts,
    /// Migrations as well, which take one more file.
    Migrations,
}

/// `/proc/PID/task/TID/schedstat`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RunTimes {
    /// Time on a CPU, in nanoseconds; for a running thread, up to the last tick.
    pub(super) run_ns: u64,
    /// Time ready to run without a CPU, in nanoseconds.
    pub(super) ready_ns: u64,
    /// How often it was put on a CPU.
    pub(super) stretches: u64,
}

impl ThreadReading {
    /// Reads the thread in `folder` (`/proc/PID/task/TID`). `last` is the previous reading of the same thread: a thread that has
    /// not been on a CPU since then cannot have switched, and the more expensive file need not be read.
    pub(super) fn read(
        tree: &Tree,
        folder: &str,
        depth: Depth,
        last: Option<&ThreadReading>,
    ) -> Option<Self> {
        // This file first: if the thread runs between the two reads, the next reading shows it.
        let run = RunTimes::read(tree, folder);
        if let Some(last) = last
            && run.is_some()
            && run == last.run
            && last.state != 'R'
        {
            return Some(last.clone());
        }
        let status = Self::parse(&tree.text(&format!("{folder}/status"))?)?;
        let migrations = match depth {
            Depth::Counts => None,
            Depth::Migrations => tree
                .text(&format!("{folder}/sched"))
                .and_then(|text| parse_migrations(&text)),
        };
        Some(Self {
            run,
            migrations,
            ..status
        })
    }

    fn parse(status: &str) -> Option<Self> {
        let (mut name, mut state) = (None, None);
        let (mut voluntary, mut involuntary) = (None, None);
        let (mut kernel, mut memory) = (None, false);
        for line in status.lines() {
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let value = value.trim();
            match key {
                // A thread may have given itself a name like one of the lines that follow.
                "Name" if name.is_none() => name = Some(value.to_owned()),
                "State" if state.is_none() => state = value.chars().next(),
                "Kthread" => kernel = Some(value == "1"),
                "VmSize" => memory = true,
                "voluntary_ctxt_switches" => voluntary = value.parse().ok(),
                "nonvoluntary_ctxt_switches" => involuntary = value.parse().ok(),
                _ => {}
            }
        }
        let state = state?;
        Some(Self {
            name: name.unwrap_or_default(),
            state,
            // Kernels before 6.4 do not report it; zombies have no memory either.
            kernel: kernel.unwrap_or(!memory && !matches!(state, 'Z' | 'X')),
            voluntary: voluntary?,
            involuntary: involuntary?,
            run: None,
            migrations: None,
        })
    }

    /// Returns whether the thread has ended and only its exit status is left.
    pub(super) fn ended(&self) -> bool {
        matches!(self.state, 'Z' | 'X')
    }
}

impl RunTimes {
    fn read(tree: &Tree, folder: &str) -> Option<Self> {
        Self::parse(&tree.text(&format!("{folder}/schedstat"))?)
    }

    fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split_ascii_whitespace().map(str::parse);
        Some(Self {
            run_ns: numbers.next()?.ok()?,
            ready_ns: numbers.next()?.ok()?,
            stretches: numbers.next()?.ok()?,
        })
    }
}

fn parse_migrations(sched: &str) -> Option<u64> {
    let line = sched
        .lines()
        .find(|line| line.starts_with("se.nr_migrations"))?;
    line.rsplit_once(':')?.1.trim().parse().ok()
}

/// An entry point only for the fuzz targets.
pub(super) fn fuzzed(text: &str) {
    let _ = (ThreadReading::parse(text), RunTimes::parse(text));
    let _ = parse_migrations(text);
}

/// Returns the process to which a thread belongs; `None` if there is no thread with that number.
pub(super) fn process_of(tree: &Tree, tid: u32) -> Option<u32> {
    let status = tree.text(&format!("/proc/{tid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("Tgid:"))?;
    line.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::made_up::status;
    use super::*;
    use crate::platform::linux::fake;
    use proptest::prelude::*;

    #[test]
    fn a_thread_is_read() {
        let (_folder, tree) = fake::tree(&[
            ("/proc/7/task/8/status", &status("a: b", 'S', 10, 3)),
            ("/proc/7/task/8/schedstat", "500 20 13\n"),
            (
                "/proc/7/task/8/sched",
                "a: b (8, #threads: 2)\nse.nr_migrations      :      17\n",
            ),
        ]);
        let read = ThreadReading::read(&tree, "/proc/7/task/8", Depth::Migrations, None).unwrap();
        assert_eq!(
            read,
            ThreadReading {
                name: "a: b".into(),
                state: 'S',
                kernel: false,
                voluntary: 10,
                involuntary: 3,
                run: Some(RunTimes {
                    run_ns: 500,
                    ready_ns: 20,
                    stretches: 13
                }),
                migrations: Some(17),
            }
        );
    }

    #[test]
    fn one_that_has_not_run_since_is_not_read_again() {
        let (folder, tree) = fake::tree(&[
            ("/proc/7/task/8/status", &status("x", 'S', 10, 3)),
            ("/proc/7/task/8/schedstat", "500 20 13\n"),
        ]);
        let first = ThreadReading::read(&tree, "/proc/7/task/8", Depth::Counts, None).unwrap();
        let at = folder.path().join("proc/7/task/8");
        std::fs::write(at.join("status"), "must not be read").unwrap();
        assert_eq!(
            ThreadReading::read(&tree, "/proc/7/task/8", Depth::Counts, Some(&first)),
            Some(first.clone())
        );
        std::fs::write(at.join("schedstat"), "501 20 14").unwrap();
        assert_eq!(
            ThreadReading::read(&tree, "/proc/7/task/8", Depth::Counts, Some(&first)),
            None
        );
    }

    #[test]
    fn without_schedstat_the_counts_are_still_read() {
        let (_folder, tree) = fake::tree(&[("/proc/7/task/8/status", &status("x", 'R', 1, 2))]);
        let read = ThreadReading::read(&tree, "/proc/7/task/8", Depth::Counts, None).unwrap();
        assert_eq!((read.voluntary, read.involuntary, read.run), (1, 2, None));
    }

    #[test]
    fn kernel_threads_and_zombies_are_told_apart_by_old_kernels_too() {
        let kernel = "Name:\tkworker/0:1\nState:\tI (idle)\nvoluntary_ctxt_switches:\t5\nnonvoluntary_ctxt_switches:\t0\n";
        let read = ThreadReading::parse(kernel).unwrap();
        assert!(read.kernel && !read.ended());
        let read = ThreadReading::parse(&kernel.replace("I (idle)", "Z (zombie)")).unwrap();
        assert!(!read.kernel && read.ended());
    }

    #[test]
    fn the_process_of_a_thread() {
        let (_folder, tree) = fake::tree(&[("/proc/8/status", "Name:\tx\nTgid:\t7\n")]);
        assert_eq!(process_of(&tree, 8), Some(7));
        assert_eq!(process_of(&tree, 9), None);
    }

    proptest! {
        #[test]
        fn any_text_is_a_thread_or_nothing(
            text in "((Name|State|Kthread|voluntary_ctxt_switches|nonvoluntary_ctxt_switches|\\PC{0,9}):?\t?\\PC{0,22}\n){0,8}",
            times in "[0-9 \t]{0,60}|\\PC{0,30}",
        ) {
            let _ = ThreadReading::parse(&text);
            let _ = RunTimes::parse(&times);
            let _ = parse_migrations(&text);
        }

        #[test]
        fn counts_read_back(voluntary: u64, involuntary: u64, name in "[^\n\0]{1,15}") {
            let read = ThreadReading::parse(&status(&name, 'D', voluntary, involuntary)).unwrap();
            prop_assert_eq!((read.voluntary, read.involuntary), (voluntary, involuntary));
            prop_assert_eq!(read.state, 'D');
        }
    }
}
