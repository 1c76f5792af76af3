//! The resources that the program used, as the kernel reports them to its parent.

use std::io;
use std::mem::MaybeUninit;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use locktoll_terminal::system::files::text_of_process;

/// The resources that a process used, without the processes that it started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// User time, nanoseconds.
    pub user_ns: u64,
    /// Kernel time, nanoseconds.
    pub system_ns: u64,
    /// Context switches; `None` where those of its children cannot be separated from its own.
    pub switches: Option<Switches>,
}

/// Context switches of all threads of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    /// Because a thread waited for something.
    pub voluntary: u64,
    /// Because the thread's time slice was over or another thread came first.
    pub involuntary: u64,
}

/// The resources that a process used together with all processes that it and its children waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WholeUsage {
    /// User time, nanoseconds.
    pub user_ns: u64,
    /// Kernel time, nanoseconds.
    pub system_ns: u64,
    /// Context switches.
    pub switches: Switches,
}

/// Reaps `pid`, a child of ours that has ended. Returns its exit status, its own usage, and its usage with the processes that it
/// waited for.
pub fn reap(pid: u32) -> io::Result<(ExitStatus, Usage, WholeUsage)> {
    // Before wait4(2): afterwards there is no such process.
    let stat = text_of_process(pid, "stat").ok();
    let (_, status, spent) = wait4(pid as i32, 0)?;
    let usage = own(&spent, stat.as_deref().and_then(ProcStat::parse));
    Ok((status, usage, whole(&spent)))
}

/// Reaps `pid`, a child of ours, and waits for it if necessary. Returns its exit status and the processor time that it and the
/// children that it had waited for used, in nanoseconds.
pub fn reap_with_children(pid: i32) -> io::Result<(ExitStatus, u64)> {
    let (_, status, spent) = wait4(pid, 0)?;
    Ok((status, cpu_ns(&spent)))
}

/// The result of [`reap_any`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaped {
    /// The child that ended, and the processor time that it used with the children that it had waited for, in nanoseconds.
    Ended(i32, u64),
    /// There are children, but none has ended.
    AllRun,
    /// There are no children.
    NoChildren,
}

/// Reaps any child that has ended.
pub fn reap_any() -> io::Result<Reaped> {
    match wait4(-1, libc::WNOHANG) {
        Ok((0, ..)) => Ok(Reaped::AllRun),
        Ok((pid, _, spent)) => Ok(Reaped::Ended(pid, cpu_ns(&spent))),
        Err(error) if error.raw_os_error() == Some(libc::ECHILD) => Ok(Reaped::NoChildren),
        Err(error) => Err(error),
    }
}

fn cpu_ns(spent: &libc::rusage) -> u64 {
    nanoseconds(spent.ru_utime) + nanoseconds(spent.ru_stime)
}

fn wait4(pid: i32, options: i32) -> io::Result<(i32, ExitStatus, libc::rusage)> {
    let mut status = 0;
    let mut spent = MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // SAFETY: both pointers are to live values.
        let reaped = unsafe { libc::wait4(pid, &mut status, options, spent.as_mut_ptr()) };
        if reaped >= 0 {
            // SAFETY: zeros are a valid `rusage`, and the call filled it in where it found a child.
            return Ok((reaped, ExitStatus::from_raw(status), unsafe {
                spent.assume_init()
            }));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Returns the process's own usage: wait4(2) adds the usage of the children that it had waited for.
fn own(spent: &libc::rusage, stat: Option<ProcStat>) -> Usage {
    match stat {
        Some(stat) if stat.had_children => Usage {
            user_ns: stat.user_ns,
            system_ns: stat.system_ns,
            switches: None,
        },
        _ => Usage {
            user_ns: nanoseconds(spent.ru_utime),
            system_ns: nanoseconds(spent.ru_stime),
            switches: Some(whole(spent).switches),
        },
    }
}

fn whole(spent: &libc::rusage) -> WholeUsage {
    WholeUsage {
        user_ns: nanoseconds(spent.ru_utime),
        system_ns: nanoseconds(spent.ru_stime),
        switches: Switches {
            voluntary: spent.ru_nvcsw.cast_unsigned(),
            involuntary: spent.ru_nivcsw.cast_unsigned(),
        },
    }
}

fn nanoseconds(time: libc::timeval) -> u64 {
    time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_usec.cast_unsigned() * 1000
}

/// The usage of a process as proc_pid_stat(5) shows it, to a clock tick.
#[derive(Debug, PartialEq, Eq)]
struct ProcStat {
    user_ns: u64,
    system_ns: u64,
    /// Whether it has waited for a process, as its children's page faults show: no process runs without one.
    had_children: bool,
}

impl ProcStat {
    fn parse(stat: &str) -> Option<Self> {
        // The name is in parentheses and may itself contain some; the state, field 3, follows it.
        let rest = stat.rsplit(") ").next()?;
        let field = |number: usize| -> Option<u64> {
            rest.split_ascii_whitespace().nth(number - 3)?.parse().ok()
        };
        // SAFETY: no memory is involved.
        let ticks_per_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
        let tick_ns = 1_000_000_000 / u64::try_from(ticks_per_second).ok()?.max(1);
        Some(Self {
            user_ns: field(14)? * tick_ns,
            system_ns: field(15)? * tick_ns,
            had_children: field(11)? > 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command, Stdio};

    use super::*;

    /// Waits until the child has ended, and reaps it.
    fn reaped(child: &Child) -> (ExitStatus, Usage, WholeUsage) {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(Pid::from_child(child)), ended).unwrap();
        reap(child.id()).unwrap()
    }

    #[test]
    fn a_process_that_waited_for_others_is_told_apart_from_them() {
        let start = |script: &str| {
            Command::new("sh")
                .args(["-c", script])
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        };
        let (status, alone, whole) = reaped(&start("exit 3"));
        assert_eq!(status.code(), Some(3));
        assert_eq!(alone.switches, Some(whole.switches));
        assert_eq!(alone.user_ns, whole.user_ns);
        // The child works; the shell only waits.
        let (status, waited, whole) = reaped(&start(
            "sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'; kill -9 $$",
        ));
        assert_eq!(status.signal(), Some(9));
        assert_eq!(waited.switches, None);
        assert!(waited.user_ns < 50_000_000, "{waited:?}");
        assert!(whole.user_ns > waited.user_ns, "{whole:?}");
    }

    #[test]
    fn a_name_with_parentheses_moves_no_field() {
        let stat = "7 (a) b) (c) S 1 7 7 0 -1 4194560 100 5 0 0 12 34 0 0 20 0 1 0 1";
        let tick_ns = 10_000_000;
        let parsed = ProcStat::parse(stat).unwrap();
        assert_eq!(parsed.user_ns, 12 * tick_ns);
        assert_eq!(parsed.system_ns, 34 * tick_ns);
        assert!(parsed.had_children);
        assert_eq!(ProcStat::parse("7 (a"), None);
    }
}
