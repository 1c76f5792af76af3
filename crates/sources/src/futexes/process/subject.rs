//! The process that the user names, and whether it can be watched.

use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use locktoll_terminal::escape::shown_text;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::system::files::{
    field_of_stat, of_process, open_of_process, text_of_process, why_no_process,
};

/// A running process.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its id.
    pub pid: u32,
    /// Its id in the innermost of its pid namespaces, that is, where it runs.
    pub own_pid: u32,
    /// The process that started it.
    pub parent_pid: u32,
    /// Its effective user.
    pub user: u32,
    /// Its command line, or its name in brackets if it does not have one.
    pub command: Vec<String>,
    /// Its short name.
    pub name: String,
}

impl Subject {
    /// Looks at the process with this id.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if there is no such process, or it does not run code of its own.
    pub fn of(pid: u32) -> Result<Self, Failure> {
        let status = text_of_process(pid, "status").map_err(|_| {
            Failure::Unsupported(why_no_process().map_or_else(
                || format!("no process has the id {pid}; accepted: the id of a running process, as shown by `ps -e`"),
                str::to_owned,
            ))
        })?;
        let name = shown_text(field(&status, "Name").unwrap_or_default());
        let number =
            |name| field(&status, name).and_then(|it| it.split_whitespace().last()?.parse().ok());
        let group: u32 = number("Tgid").unwrap_or(pid);
        if group != pid {
            return Err(Failure::Unsupported(format!(
                "{pid} is a thread of process {group}; accepted: a process, all of whose threads are watched: \
                 `locktoll attach {group}`"
            )));
        }
        if field(&status, "State").is_some_and(|state| state.starts_with(['Z', 'X'])) {
            return Err(Failure::Unsupported(format!(
                "process {pid} ({name}) has ended, but its parent has not waited for it yet (a zombie)"
            )));
        }
        // Kernel threads have no memory of their own.
        if field(&status, "VmSize").is_none() {
            return Err(Failure::Unsupported(format!(
                "{pid} ({name}) is a kernel thread, which uses no futexes; `locktoll kernel` watches the kernel's own locks"
            )));
        }
        if let Err(error) = open_of_process(pid, "maps") {
            return Err(Failure::Unsupported(format!(
                "process {pid} ({name}) cannot be inspected ({error}); run this as root, or as its user with CAP_BPF, CAP_PERFMON and \
                 CAP_SYS_PTRACE; `locktoll doctor` says what is missing"
            )));
        }
        Ok(Self {
            pid,
            own_pid: number("NSpid").unwrap_or(pid),
            parent_pid: number("PPid").unwrap_or(0),
            user: field(&status, "Uid")
                .and_then(|it| it.split_whitespace().nth(1)?.parse().ok())
                .unwrap_or(u32::MAX),
            command: command(pid, &name),
            name,
        })
    }

    /// Describes the process `pid`, which this one has forked and which could not be looked at.
    pub fn child(&self, pid: u32) -> Self {
        Self {
            pid,
            own_pid: pid,
            parent_pid: self.pid,
            ..self.clone()
        }
    }

    /// Describes a process that ended before anything was learned about it.
    pub fn gone(pid: u32, parent_pid: u32) -> Self {
        Self {
            pid,
            own_pid: pid,
            parent_pid,
            user: u32::MAX,
            command: Vec::new(),
            name: String::new(),
        }
    }

    /// Sets its name, which was learned later. The rest of its command stays unknown.
    pub fn is_called(&mut self, name: String) {
        self.command = vec![format!("[{name}]")];
        self.name = name;
    }

    /// Whether it still runs: it has not ended, and is not waiting for its parent to take note of its end.
    pub fn runs(&self) -> bool {
        let stat = text_of_process(self.pid, "stat");
        stat.is_ok_and(|stat| !has_ended(&stat))
    }

    /// Returns its view of the file system.
    pub fn root(&self) -> PathBuf {
        PathBuf::from(format!("/proc/{}/root", self.pid))
    }
}

/// Whether it has ended, according to /proc/PID/stat. The state there is that of its main thread, which may end before the others.
pub(crate) fn has_ended(stat: &str) -> bool {
    let state = field_of_stat(stat, 3);
    // The main thread is counted until its parent has taken note of the end.
    let threads: Option<u32> = field_of_stat(stat, 20).and_then(|it| it.parse().ok());
    matches!(state, Some("Z" | "X") | None) && threads.is_none_or(|it| it <= 1)
}

/// Returns the value of a line of /proc/PID/status.
pub(super) fn field<'s>(status: &'s str, name: &str) -> Option<&'s str> {
    let rest = |line: &'s str| line.strip_prefix(name)?.strip_prefix(':');
    status.lines().find_map(rest).map(str::trim)
}

fn command(pid: u32, name: &str) -> Vec<String> {
    words(&of_process(pid, "cmdline").unwrap_or_default(), name)
}

/// Returns the words of /proc/PID/cmdline or, if there are none, the name in brackets.
pub(super) fn words(line: &[u8], name: &str) -> Vec<String> {
    let words: Vec<String> = line
        .split(|&byte| byte == 0)
        .map(|word| {
            std::ffi::OsStr::from_bytes(word)
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    // The line ends with a zero byte, or with several if the process has shortened it.
    let words: Vec<String> = match words.iter().rposition(|word| !word.is_empty()) {
        Some(last) => words[..=last].to_vec(),
        None => Vec::new(),
    };
    match words.is_empty() {
        true => vec![format!("[{name}]")],
        false => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_can_be_watched_and_its_threads_are_not_it() {
        let subject = Subject::of(std::process::id()).unwrap();
        assert!(subject.runs());
        assert!(subject.command[0].contains("locktoll"));
        let (tell, told) = std::sync::mpsc::channel();
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let thread = std::thread::spawn(move || {
            tell.send(rustix::thread::gettid().as_raw_nonzero().get())
                .unwrap();
            let _ = ended.recv();
        });
        let tid = told.recv().unwrap();
        let refusal = Subject::of(tid as u32).unwrap_err().to_string();
        let group = std::process::id();
        assert!(
            refusal.contains(&format!("`locktoll attach {group}`")),
            "{refusal}"
        );
        drop(end);
        thread.join().unwrap();
    }

    #[test]
    fn a_process_has_ended_once_all_of_its_threads_have() {
        let ended = |state: char, threads: u32| {
            let before = "1 42 42 0 -1 4194304 8 0 0 0 3 1 0 0 20 0";
            has_ended(&format!(
                "42 (a) Z (b) {state} {before} {threads} 0 977 0 0"
            ))
        };
        assert!(!ended('S', 1) && !ended('R', 3));
        assert!(ended('Z', 1) && ended('X', 0));
        // Its main thread has called pthread_exit.
        assert!(!ended('Z', 2));
        assert!(has_ended("42 (cut) Z 1 42") && has_ended(""));
    }

    #[test]
    fn what_is_no_process_is_refused_by_what_it_is() {
        // A number larger than any id.
        let refusal = Subject::of(1 << 30).unwrap_err().to_string();
        assert!(
            refusal.contains("no process has the id 1073741824"),
            "{refusal}"
        );
    }
}
