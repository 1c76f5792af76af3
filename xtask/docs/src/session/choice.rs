//! Which sessions can be run here.

use super::parse::Session;

/// What is done with a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// These commands are run, by a shell.
    Run {
        /// The commands.
        script: String,
        /// Whether a user without privileges runs them.
        as_ordinary_user: bool,
    },
    /// It is left out, for this reason.
    Skip(String),
}

/// Programs with which a session that can be repeated begins.
const BEGINS: [&str; 3] = ["locktoll", "cc", "c++"];

/// What a command cannot have if it is to be run without a person: words, and the reason.
const PREVENTS: [(&str, &str); 7] = [
    ("pidof", "needs a running process"),
    ("PID", "needs a running process"),
    ("locktoll top", "the live screen, which ends at a key"),
    ("locktoll kernel", "traces the whole machine"),
    ("locktoll reproduce", "takes hours"),
    ("locktoll attach", "needs a running process"),
    ("locktoll hang", "needs a stuck process"),
];

/// Chooses what to do with a session. `has` says whether a program is installed.
pub fn choice(session: &Session, has: impl Fn(&str) -> bool) -> Choice {
    let skip = |why: &str| Choice::Skip(why.to_owned());
    let (retake, note) = match session.retake.as_deref() {
        Some(retake) => split_note(retake),
        None => ("", None),
    };
    let as_ordinary_user = note == Some("as an ordinary user");
    if let Some(note) = note.filter(|_| !as_ordinary_user) {
        return skip(&format!("needs a hand: {note}"));
    }
    let is_command = |text: &str| {
        let first = text.split_whitespace().next();
        first.is_some_and(|first| BEGINS.contains(&first))
    };
    let script = match is_command(retake) {
        true => retake.to_owned(),
        false if retake.is_empty() || retake.starts_with("the command") => {
            session.commands.join("\n")
        }
        false => return skip(&format!("needs a hand: {retake}")),
    };
    if !script.lines().next().is_some_and(is_command) {
        return skip("does not begin with locktoll or a compiler");
    }
    let mut prevented = PREVENTS.iter().filter(|(word, _)| script.contains(word));
    if let Some((_, why)) = prevented.next() {
        return skip(why);
    }
    for command in script.split(" -- ").skip(1) {
        let program = command.split_whitespace().next().unwrap_or_default();
        if !program.contains('/') && !has(program) {
            return skip(&format!("{program} is not installed"));
        }
    }
    Choice::Run {
        script,
        as_ordinary_user,
    }
}

/// Splits `locktoll doctor (as an ordinary user)`. Parentheses of a shell, as in `$(pidof x)`, are not a note.
fn split_note(retake: &str) -> (&str, Option<&str>) {
    match retake.strip_suffix(')').and_then(|it| it.rsplit_once(" (")) {
        Some((command, note)) => (command, Some(note)),
        None => (retake, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(retake: Option<&str>, commands: &[&str]) -> Choice {
        let session = Session {
            line: 1,
            retake: retake.map(str::to_owned),
            commands: commands.iter().map(|it| (*it).to_owned()).collect(),
            output: Vec::new(),
        };
        choice(&session, |program| program == "xz")
    }

    fn run(script: &str, as_ordinary_user: bool) -> Choice {
        Choice::Run {
            script: script.to_owned(),
            as_ordinary_user,
        }
    }

    #[test]
    fn commands_are_run_and_what_needs_a_person_is_not() {
        assert_eq!(
            of(None, &["locktoll doctor"]),
            run("locktoll doctor", false)
        );
        assert_eq!(
            of(
                Some("locktoll doctor (as an ordinary user)"),
                &["locktoll doctor"]
            ),
            run("locktoll doctor", true)
        );
        let build = "c++ a.cpp -o a && locktoll record -- ./a";
        assert_eq!(
            of(Some(build), &["locktoll record -- ./a"]),
            run(build, false)
        );
        assert_eq!(
            of(Some("the commands"), &["locktoll a", "echo"]),
            run("locktoll a\necho", false)
        );
        assert_eq!(
            of(None, &["locktoll try -- xz x"]),
            run("locktoll try -- xz x", false)
        );
        for (retake, command) in [
            (Some("locktoll attach $(pidof x)"), "locktoll attach 7"),
            (
                Some("locktoll reproduce A8 (while two busy loops run)"),
                "locktoll reproduce A8",
            ),
            (Some("six of them in turn"), "locktoll compare a b"),
            (None, "locktoll top"),
            (None, "redis-server"),
            (None, "locktoll try -- sysbench run"),
        ] {
            assert!(
                matches!(of(retake, &[command]), Choice::Skip(_)),
                "{command}"
            );
        }
    }
}
