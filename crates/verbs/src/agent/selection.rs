//! Which processes are watched, at each moment anew.

use std::collections::BTreeSet;

use regex::Regex;

use crate::groups::Renewed;
use crate::running::name_of;

/// What the user chose; a process that any of it means is watched.
pub struct Selection {
    /// By their ids.
    pub pids: Vec<u32>,
    /// By their names.
    pub name: Option<Regex>,
    /// The processes of a control group.
    pub group: Option<Renewed>,
    /// All processes.
    pub all: bool,
}

impl Selection {
    /// Returns the chosen processes that are there now. This process is never among them.
    pub fn now(&mut self) -> BTreeSet<u32> {
        let running = match self.all || self.name.is_some() {
            true => running(),
            false => BTreeSet::new(),
        };
        let mut chosen: BTreeSet<u32> = match (&self.name, self.all) {
            (_, true) => running,
            (Some(name), _) => {
                let matches = running
                    .into_iter()
                    .filter(|&pid| name.is_match(&name_of(pid)));
                matches.collect()
            }
            (None, false) => BTreeSet::new(),
        };
        chosen.extend(self.pids.iter().copied().filter(|&pid| runs(pid)));
        if let Some(group) = &mut self.group {
            chosen.extend(group.now().processes());
        }
        chosen.remove(&std::process::id());
        chosen
    }

    /// Whether the control group, if one is chosen, has gone.
    pub fn group_is_gone(&self) -> bool {
        self.group.as_ref().is_some_and(Renewed::is_gone)
    }
}

fn runs(pid: u32) -> bool {
    std::path::Path::new(&format!("/proc/{pid}")).exists()
}

/// Returns all processes.
fn running() -> BTreeSet<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing() -> Selection {
        Selection {
            pids: Vec::new(),
            name: None,
            group: None,
            all: false,
        }
    }

    #[test]
    fn each_choice_adds_processes_and_none_adds_this_one() {
        assert!(nothing().now().is_empty());
        let mut child = std::process::Command::new("sleep")
            .arg("1000")
            .spawn()
            .unwrap();
        let own = std::process::id();
        let mut by_id = Selection {
            pids: vec![own, child.id()],
            ..nothing()
        };
        assert_eq!(by_id.now(), [child.id()].into());
        let mut by_name = Selection {
            name: Some(Regex::new("^slee").unwrap()),
            ..nothing()
        };
        // A process that has not become `sleep` yet has this process's name.
        let mut named = || by_name.now().contains(&child.id());
        while !named() {
            std::thread::yield_now();
        }
        let mut all = Selection {
            all: true,
            ..nothing()
        };
        let chosen = all.now();
        assert!(chosen.contains(&child.id()) && !chosen.contains(&own));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(by_id.now().is_empty());
    }
}
