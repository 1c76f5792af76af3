//! How a process is named in the metrics: by its name, its container and its pod, and never by its id. Processes of the same labels
//! share their series.

use std::fmt::Write;

use super::container::container_of;
use crate::running::name_of;
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::system::files::text_of_process;

/// Longest value of a label, in characters. Names of C++ functions can be longer than a page.
const LONGEST: usize = 200;

/// The labels of a process. All values are safe to show.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessLabels {
    /// Its name.
    pub process: String,
    /// The id of its container; empty if it is in none.
    pub container: String,
    /// The id of its pod; empty if it is in none.
    pub pod: String,
}

impl ProcessLabels {
    /// Reads the labels of a running process.
    pub fn of(pid: u32) -> Self {
        let groups = text_of_process(pid, "cgroup").unwrap_or_default();
        let (container, pod) = places(&groups);
        Self {
            process: label(&name_of(pid)),
            container: label(&container),
            pod: label(&pod),
        }
    }
}

/// Returns the container and the pod of a process, from the lines of /proc/PID/cgroup: one per hierarchy.
fn places(groups: &str) -> (String, String) {
    let paths = groups.lines().filter_map(|line| line.splitn(3, ':').nth(2));
    let found = paths.map(container_of);
    found
        .max_by_key(|(container, pod)| (!container.is_empty(), !pod.is_empty()))
        .unwrap_or_default()
}

/// Makes a value of a label: what a terminal might obey is escaped, and a long text is cut. A cut value ends with a sum of the whole text,
/// so that different texts stay different.
pub fn label(text: &str) -> String {
    let safe = shown_text(text);
    match safe.char_indices().nth(LONGEST) {
        None => safe,
        Some((end, _)) => {
            let mut cut = safe[..end].to_owned();
            // Writing to a string cannot fail.
            let _ = write!(cut, "...{:016x}", sum(&safe));
            cut
        }
    }
}

/// FNV-1a, which is the same in every run: labels must survive a restart.
fn sum(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ID: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

    #[test]
    fn the_container_is_found_in_any_hierarchy() {
        let both = format!("12:cpu:/docker/{ID}\n1:name=systemd:/\n0::/\n");
        assert_eq!(places(&both), (ID.to_owned(), String::new()));
        let v2 = "0::/user.slice/user-1000.slice/session-1.scope\n";
        assert_eq!(places(v2), Default::default());
        assert_eq!(places("rubbish"), Default::default());
    }

    #[test]
    fn long_texts_are_cut_and_stay_different() {
        let long = |end: char| format!("{}{end}", "é".repeat(LONGEST));
        let (a, b) = (label(&long('a')), label(&long('b')));
        assert!(a != b && a.chars().count() == LONGEST + 19, "{a}");
        assert_eq!(label(&"x".repeat(LONGEST)), "x".repeat(LONGEST));
    }

    proptest! {
        #[test]
        fn no_name_makes_a_label_unsafe(name in ".*") {
            let label = label(&name);
            let unsafe_ones = ['\u{61c}', '\u{200b}', '\u{202e}', '\u{2066}', '\u{feff}'];
            prop_assert!(!label.chars().any(|it| it.is_control() || unsafe_ones.contains(&it)));
            prop_assert!(label.chars().count() <= LONGEST + 19);
        }
    }
}
