//! A claim's settings for systems other than Linux: other locks in the same roles, other runs, or the reason why there are none.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::description::{CheckDescription, Description, Run};

/// An operating system, as named in the files of the claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// The system for which a file's `[[run]]` and `[[check]]` are written.
    Linux,
    /// The system for which `[windows]` changes them.
    Windows,
}

impl System {
    /// Returns the system that this program was built for.
    pub fn here() -> Self {
        match std::env::consts::OS {
            "windows" => Self::Windows,
            _ => Self::Linux,
        }
    }
}

/// The table `[windows]` of a claim's file. Settings that it omits keep their values.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OnWindows {
    /// Why the claim cannot be run on Windows: the feature of Linux that it needs. Then only a note may be given in addition.
    pub needs_linux: Option<String>,
    /// A note shown with the verdict on Windows.
    pub note: Option<String>,
    /// How long the runs take on Windows.
    pub seconds: Option<f64>,
    /// The lock that takes the role of another on Windows: `{ pthread = "critical-section" }`.
    #[serde(default)]
    pub locks: BTreeMap<String, String>,
    /// The measurements on Windows.
    #[serde(default, rename = "run")]
    pub runs: Vec<Run>,
    /// The conditions that the results must meet on Windows.
    #[serde(default, rename = "check")]
    pub checks: Vec<CheckDescription>,
}

impl OnWindows {
    /// # Errors
    /// One line about a contradiction.
    pub fn check(&self) -> Result<(), String> {
        let runs_something = self.seconds.is_some()
            || !(self.locks.is_empty() && self.runs.is_empty() && self.checks.is_empty());
        match self.needs_linux.is_some() && runs_something {
            true => {
                Err("a claim that needs_linux has no locks, runs and checks elsewhere".to_owned())
            }
            false => Ok(()),
        }
    }
}

impl Description {
    /// Returns the claim as it is run on `system`.
    pub fn on(mut self, system: System) -> Self {
        let Some(there) = self.windows.take() else {
            return self;
        };
        if system == System::Linux {
            self.windows = Some(there);
            return self;
        }
        self.note = there.note.or(self.note);
        self.cannot_run = there.needs_linux.map(|what| format!("needs Linux: {what}"));
        self.seconds = there.seconds.unwrap_or(self.seconds);
        if !there.runs.is_empty() {
            self.runs = there.runs;
        }
        if !there.checks.is_empty() {
            self.checks = there.checks;
        }
        for run in &mut self.runs {
            for flags in [&mut run.bench, &mut run.live].into_iter().flatten() {
                *flags = with_locks(flags, &there.locks);
            }
        }
        for select in self
            .checks
            .iter_mut()
            .flat_map(CheckDescription::selections_mut)
        {
            if let Some(other) = select.lock.as_ref().and_then(|lock| there.locks.get(lock)) {
                select.lock = Some(other.clone());
            }
        }
        for line in (self.published.iter_mut()).flat_map(|published| &mut published.lines) {
            let measured = line.measured.as_ref();
            if let Some(other) = measured.and_then(|lock| there.locks.get(lock)) {
                line.measured = Some(other.clone());
            }
        }
        self
    }
}

/// Returns flags of `bench` with other locks in the list after `--lock`.
fn with_locks(flags: &str, locks: &BTreeMap<String, String>) -> String {
    let mut listed = false;
    let words = flags.split_ascii_whitespace().map(|word| {
        let list = std::mem::replace(&mut listed, word == "--lock");
        match list {
            true => (word.split(','))
                .map(|lock| locks.get(lock).map_or(lock, String::as_str))
                .collect::<Vec<_>>()
                .join(","),
            false => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::description::parse;
    use super::*;

    const FILE: &str = "id = \"A1\"\ntitle = \"t\"\nclaim = \"c\"\nnote = \"here\"\nseconds = 1\n\
        [source]\narticle = \"a\"\nyear = 1998\nmachine = \"m\"\n\
        [means]\nholds = \"Yes.\"\ndoes_not_hold = \"No.\"\n[[run]]\nbench = \"--lock pthread,std --spin 3 --threads 1\"\n\
        [[check]]\nwhat = \"w\"\nratio = { of = { lock = \"pthread\" }, over = { lock = \"std\" } }\nat_least = 1\n";

    fn on(system: System, windows: &str) -> Description {
        let text = format!("{FILE}[windows]\n{windows}");
        parse("A1.toml", &text).expect("is right").on(system)
    }

    fn locks_and_flags(described: &Description) -> (Vec<String>, String) {
        let selections = described.checks[0].selections();
        let locks = selections.iter().map(|select| select.lock.clone().unwrap());
        (locks.collect(), described.runs[0].bench.clone().unwrap())
    }

    #[test]
    fn locks_take_the_parts_of_others_in_runs_and_checks_alike() {
        let table = "locks = { pthread = \"critical-section\" }\nnote = \"there\"\n";
        let (locks, flags) = locks_and_flags(&on(System::Windows, table));
        assert_eq!(locks, ["critical-section", "std"]);
        assert_eq!(flags, "--lock critical-section,std --spin 3 --threads 1");
        let here = on(System::Linux, table);
        let (locks, flags) = locks_and_flags(&here);
        assert_eq!(locks, ["pthread", "std"]);
        assert_eq!(flags, "--lock pthread,std --spin 3 --threads 1");
        assert_eq!(here.note.as_deref(), Some("here"));
        assert_eq!(on(System::Windows, table).note.as_deref(), Some("there"));
    }

    #[test]
    fn runs_and_checks_of_its_own_replace_the_others() {
        let table = "seconds = 4\n[[windows.run]]\nbench = \"--lock srwlock\"\n\
            [[windows.check]]\nwhat = \"other\"\nvalue = { lock = \"srwlock\" }\nat_most = 2\n";
        let there = on(System::Windows, table);
        let (locks, flags) = locks_and_flags(&there);
        assert_eq!(
            (locks, flags.as_str()),
            (vec!["srwlock".to_owned()], "--lock srwlock")
        );
        assert_eq!(
            (
                there.checks.len(),
                there.checks[0].what.as_str(),
                there.seconds
            ),
            (1, "other", 4.0)
        );
        assert_eq!(there.cannot_run, None);
    }

    #[test]
    fn what_needs_linux_says_so_elsewhere_and_only_there() {
        let table = "needs_linux = \"futexes\"\n";
        assert_eq!(on(System::Linux, table).cannot_run, None);
        let there = on(System::Windows, table);
        assert_eq!(there.cannot_run.as_deref(), Some("needs Linux: futexes"));
        let both = format!("{FILE}[windows]\nneeds_linux = \"futexes\"\nseconds = 3\n");
        assert!(parse("A1.toml", &both).unwrap_err().contains("needs_linux"));
    }

    #[test]
    fn what_is_wrong_for_windows_is_refused_here_too() {
        for (windows, says) in [
            ("lock = 3\n", "unknown field `lock`"),
            ("seconds = 0\n", "seconds"),
            ("[[windows.run]]\nname = \"x\"\n", "one of bench"),
            (
                "[[windows.check]]\nwhat = \"x\"\nvalue = {}\n",
                "at_least, at_most",
            ),
        ] {
            let wrong = parse("A1.toml", &format!("{FILE}[windows]\n{windows}")).unwrap_err();
            assert!(wrong.contains(says) && !wrong.contains('\n'), "{wrong}");
        }
    }
}
