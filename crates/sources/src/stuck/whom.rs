//! The process to look at, and whether it can be looked at.

use super::threads::is_ending;
use crate::futexes::Subject;
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::system::files::{open_of_process, text_of_process, why_no_process};

/// Why a process could not be looked at.
#[derive(Debug)]
pub enum NotLooked {
    /// The process with this id has ended, or is about to.
    Ended(u32),
    /// Anything else.
    Refused(Failure),
}

impl From<NotLooked> for Failure {
    fn from(why: NotLooked) -> Self {
        match why {
            NotLooked::Ended(pid) => Self::Unsupported(format!("process {pid} has ended")),
            NotLooked::Refused(failure) => failure,
        }
    }
}

/// A running process that this user may stop and read.
#[derive(Clone, Debug)]
pub struct Whom {
    /// The process.
    pub subject: Subject,
}

impl Whom {
    /// Looks at the process with this id.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if there is no such process, or the kernel does not permit locktoll to stop and read it.
    pub fn of(pid: u32) -> Result<Self, Failure> {
        let refused = |said: String| Err(Failure::Unsupported(said));
        let Ok(status) = text_of_process(pid, "status") else {
            return refused(why_no_process().map_or_else(
                || format!("no process has the id {pid}; accepted: the id of a running process, as shown by `ps -e`"),
                str::to_owned,
            ));
        };
        let field = |name: &str| {
            let rest = |line: &'_ str| {
                Some(
                    line.strip_prefix(name)?
                        .strip_prefix(':')?
                        .trim()
                        .to_owned(),
                )
            };
            status.lines().find_map(rest)
        };
        let number = |name: &str| field(name)?.parse::<u32>().ok();
        let name = shown_text(&field("Name").unwrap_or_default());
        if let Some(group) = number("Tgid").filter(|&group| group != pid) {
            return refused(format!(
                "{pid} is a thread of process {group}; accepted: the id of a process, as in `locktoll hang {group}`, which reports all of its threads"
            ));
        }
        if pid == std::process::id() {
            return refused(format!(
                "{pid} is locktoll itself; accepted: another process"
            ));
        }
        if field("State").is_some_and(|state| state.starts_with(['Z', 'X'])) {
            return refused(format!(
                "process {pid} ({name}) has ended, but its parent has not waited for it yet (a zombie)"
            ));
        }
        if field("VmSize").is_none() {
            return refused(format!(
                "{pid} ({name}) is a kernel thread, which has no stack that can be read; `locktoll kernel` watches the kernel's own locks"
            ));
        }
        if let Some(tracer) = number("TracerPid").filter(|&tracer| tracer != 0) {
            return refused(traced(pid, &name, tracer));
        }
        if let Err(error) = open_of_process(pid, "mem") {
            return refused(may_not(
                pid,
                &name,
                field("Uid").as_deref(),
                &error.to_string(),
            ));
        }
        Ok(Self {
            subject: Subject::of(pid)?,
        })
    }

    /// Explains why the kernel refused to stop or read a thread of this process. The kernel refuses both while a process ends.
    pub fn not_stopped(&self, error: &str) -> NotLooked {
        let Subject { pid, name, .. } = &self.subject;
        if is_ending(*pid) {
            return NotLooked::Ended(*pid);
        }
        let name = shown_text(name);
        let status = text_of_process(*pid, "status").unwrap_or_default();
        let tracer = status
            .lines()
            .find_map(|line| line.strip_prefix("TracerPid:"));
        let tracer = tracer.and_then(|text| text.trim().parse().ok());
        NotLooked::Refused(Failure::Unsupported(
            match tracer.filter(|&tracer: &u32| tracer != 0) {
                Some(tracer) => traced(*pid, &name, tracer),
                None => may_not(*pid, &name, None, error),
            },
        ))
    }
}

fn traced(pid: u32, name: &str, tracer: u32) -> String {
    let comm = text_of_process(tracer, "comm").unwrap_or_default();
    let by = match comm.trim_end() {
        "" => format!("process {tracer}"),
        comm => format!("process {tracer} ({})", shown_text(comm)),
    };
    format!(
        "process {pid} ({name}) is already traced by {by}, and a process has one tracer at a time; end that tracer, or have it write a \
         core file and run `locktoll hang --core FILE`"
    )
}

/// Yama's setting; `None` where the kernel does not have it.
fn yama() -> Option<u32> {
    let text = std::fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").ok()?;
    text.trim().parse().ok()
}

fn may_not(pid: u32, name: &str, users: Option<&str>, error: &str) -> String {
    may_not_under(yama(), (pid, name), users, error)
}

/// The same under this setting of Yama.
fn may_not_under(
    yama: Option<u32>,
    (pid, name): (u32, &str),
    users: Option<&str>,
    error: &str,
) -> String {
    let own = rustix::process::geteuid().as_raw();
    let user = users.and_then(|users| users.split_whitespace().nth(1)?.parse::<u32>().ok());
    match (user, yama) {
        (Some(user), _) if user != own => format!(
            "process {pid} ({name}) belongs to user {user}, and may only be stopped by that user, or by root or a program with \
             CAP_SYS_PTRACE; run this with sudo"
        ),
        (_, Some(scope @ 1..)) => format!(
            "process {pid} ({name}) may not be stopped, since kernel.yama.ptrace_scope is {scope}: {}",
            match scope {
                1 =>
                    "run this with sudo, or permit it until the next boot: `sudo sysctl kernel.yama.ptrace_scope=0`",
                2 => "only programs with CAP_SYS_PTRACE may trace; run this with sudo",
                _ => "no program may trace another until the next boot",
            }
        ),
        _ => format!(
            "process {pid} ({name}) may not be stopped and read ({error}): it has privileges that this program lacks, is not dumpable \
             (prctl(2)), or a sandbox forbids ptrace(2); run this with sudo, or give the container CAP_SYS_PTRACE"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_looked_at_says_why() {
        let refusal = |pid| Whom::of(pid).unwrap_err().to_string();
        assert!(refusal(1 << 23).starts_with("no process has the id 8388608; accepted: "));
        assert!(refusal(std::process::id()).contains("is locktoll itself"));
        // The kernel's first thread.
        if text_of_process(2, "comm").is_ok_and(|comm| comm == "kthreadd\n") {
            assert!(refusal(2).contains("is a kernel thread"), "{}", refusal(2));
        }
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let id = child.id();
        while crate::stuck::threads::state(id, id) != Some('Z') {
            std::thread::yield_now();
        }
        assert!(refusal(id).contains("has ended"));
        child.wait().unwrap();
    }

    #[test]
    fn a_refusal_names_the_remedy_that_fits() {
        let own = rustix::process::geteuid().as_raw();
        let other = format!("{0}\t{0}\t{0}\t{0}", own + 1);
        let said = may_not(7, "app", Some(&other), "EPERM");
        assert!(
            said.contains("belongs to user") && said.contains("sudo"),
            "{said}"
        );
        let under = |scope| may_not_under(Some(scope), (7, "app"), None, "EPERM");
        assert!(under(1).contains("`sudo sysctl kernel.yama.ptrace_scope=0`"));
        assert!(under(2).contains("only programs with CAP_SYS_PTRACE may trace"));
        assert!(under(3).contains("until the next boot"));
        assert!(under(0).contains("(EPERM)") && !under(0).contains("yama"));
        assert!(traced(7, "app", 1).contains("is already traced by process 1"));
    }
}
