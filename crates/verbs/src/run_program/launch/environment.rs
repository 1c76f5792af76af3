//! The variables that locktoll adds to the program's environment.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

use locktoll_recording::layout::{Keeps, Mode};

/// The variable that names the folder for parts. Without it, the library records nothing.
pub const PARTS: &str = "LOCKTOLL_PARTS";

/// Which processes are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Children {
    /// The program and every process that it starts.
    Included,
    /// Only the program.
    LeftOut,
}

/// The events by time that a process keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// Their kinds.
    pub keeps: Keeps,
    /// The room for them, bytes.
    pub bytes: u64,
}

/// The orders for the preload library.
#[derive(Clone, Copy, Debug)]
pub struct Orders<'a> {
    /// The library.
    pub library: &'a Path,
    /// The folder for parts, an absolute path.
    pub parts: &'a Path,
    /// The events that are timed.
    pub mode: Mode,
    /// Which processes record.
    pub children: Children,
    /// Whether the order of locks is noted.
    pub order: bool,
    /// The events by time that are kept, if any.
    pub timeline: Option<Timeline>,
    /// The number of the run that watches for preempted holders, if there is one.
    pub preemption: Option<u32>,
    /// Whether the program is recorded for as long as it runs: a part then keeps few lives of threads.
    pub live: bool,
}

/// Returns the value of `LD_PRELOAD` with our library in front of the user's own entries.
///
/// In front, since the loader searches in this order: the program's calls reach us first, with the program's own return address,
/// and we pass them on to the user's library, which then sees exactly the calls that it would see without us.
pub fn in_front_of_users(library: &Path, users: Option<&OsStr>) -> OsString {
    let mut list = library.as_os_str().to_owned();
    if let Some(users) = users.filter(|users| !users.is_empty()) {
        list.push(":");
        list.push(users);
    }
    list
}

/// Sets up a command so that its process, and the processes that it starts, record as ordered.
///
/// Each variable is set or removed: we may be running under another recorder ourselves.
pub fn prepare(command: &mut Command, orders: &Orders<'_>) {
    let users = std::env::var_os("LD_PRELOAD");
    command
        .env(
            "LD_PRELOAD",
            in_front_of_users(orders.library, users.as_deref()),
        )
        .env(PARTS, orders.parts);
    match orders.mode {
        Mode::Exact => command.env("LOCKTOLL_MODE", "exact"),
        _ => command.env_remove("LOCKTOLL_MODE"),
    };
    match orders.order {
        true => command.env_remove("LOCKTOLL_ORDER"),
        false => command.env("LOCKTOLL_ORDER", "off"),
    };
    match orders.timeline {
        Some(Timeline { keeps, bytes }) => {
            let word = match keeps {
                Keeps::Everything => "everything",
                _ => "waits",
            };
            command.env("LOCKTOLL_TIMELINE", format!("{word}:{bytes}"))
        }
        None => command.env_remove("LOCKTOLL_TIMELINE"),
    };
    match orders.preemption {
        Some(run) => command.env("LOCKTOLL_PREEMPTION", run.to_string()),
        None => command.env_remove("LOCKTOLL_PREEMPTION"),
    };
    match orders.live {
        true => command.env("LOCKTOLL_LIVE", "1"),
        false => command.env_remove("LOCKTOLL_LIVE"),
    };
    match orders.children {
        // A process keeps its parent for as long as the parent lives, exec after exec, and we outlive the process.
        Children::LeftOut => command.env("LOCKTOLL_ONLY_CHILD_OF", std::process::id().to_string()),
        Children::Included => command.env_remove("LOCKTOLL_ONLY_CHILD_OF"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_libraries_stay_in_their_order_behind_ours() {
        let ours = Path::new("/c/ours.so");
        let with = |users: &str| in_front_of_users(ours, Some(OsStr::new(users)));
        assert_eq!(in_front_of_users(ours, None), "/c/ours.so");
        assert_eq!(with(""), "/c/ours.so");
        assert_eq!(with("/a.so:b.so c.so"), "/c/ours.so:/a.so:b.so c.so");
    }

    #[test]
    fn orders_of_a_recorder_around_us_do_not_reach_the_program() {
        let mut command = Command::new("true");
        let mut orders = Orders {
            library: Path::new("/c/ours.so"),
            parts: Path::new("/parts"),
            mode: Mode::Sampled,
            children: Children::Included,
            order: true,
            timeline: None,
            preemption: None,
            live: false,
        };
        let said = |command: &Command, name: &str| {
            let found = command.get_envs().find(|(key, _)| *key == name);
            found.map(|(_, value)| value.map(OsStr::to_owned))
        };
        prepare(&mut command, &orders);
        assert_eq!(said(&command, "LOCKTOLL_MODE"), Some(None));
        assert_eq!(said(&command, "LOCKTOLL_LIVE"), Some(None));
        assert_eq!(said(&command, "LOCKTOLL_ONLY_CHILD_OF"), Some(None));
        orders.mode = Mode::Exact;
        orders.children = Children::LeftOut;
        prepare(&mut command, &orders);
        assert_eq!(
            said(&command, "LOCKTOLL_MODE"),
            Some(Some(OsString::from("exact")))
        );
        let own = std::process::id().to_string();
        assert_eq!(
            said(&command, "LOCKTOLL_ONLY_CHILD_OF"),
            Some(Some(OsString::from(own)))
        );
    }
}
