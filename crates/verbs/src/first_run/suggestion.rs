//! The commands that a newcomer can be advised to type, and the choice among them.

use locktoll_results::doctor::{Effect, Finding, Verb, Word, verdict};

/// The number of commands that are suggested.
const MOST: usize = 5;

/// A command, and its use.
#[derive(Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The verb.
    pub verb: Verb,
    /// The command without the program's name.
    pub command: &'static str,
    /// Its use, in a few words.
    pub why: &'static str,
    /// The figures that it cannot show here.
    pub lost: Vec<String>,
}

/// What is suggested, and which of the verbs looked at do not work.
#[derive(Debug)]
pub struct Suggestions {
    /// The commands, the most useful first.
    pub commands: Vec<Suggestion>,
    /// Verbs that would have been suggested, and that do not work here.
    pub refused: Vec<Verb>,
}

/// All of them. A newcomer asks first what locks cost in a program, then what another lock would change, then about the machine;
/// those that come last replace verbs that do not work here.
const ALL: [(Verb, &str, &str); 10] = [
    (
        Verb::Tour,
        "tour",
        "the first look at this machine and a small program, under a minute",
    ),
    (
        Verb::Record,
        "record -- ./program",
        "which locks of a program cost time, where, and who holds them",
    ),
    (
        Verb::Attach,
        "attach PID",
        "where a running process waits, and for whom",
    ),
    (
        Verb::Try,
        "try -- ./program",
        "does another lock make a program faster?",
    ),
    (
        Verb::Machine,
        "machine",
        "what locks and context switches cost here",
    ),
    (
        Verb::Hang,
        "hang PID",
        "what each thread of a stuck process waits for",
    ),
    (
        Verb::Top,
        "top",
        "who switches, spins and waits on this machine now",
    ),
    (
        Verb::Bench,
        "bench --quick",
        "locks compared, uncontended and contended",
    ),
    (
        Verb::Reproduce,
        "reproduce --list",
        "published claims about locks, to run here",
    ),
    (
        Verb::Report,
        "report FILE",
        "a recording or result that was made elsewhere",
    ),
];

/// Returns all commands, without the program's name.
#[cfg(all(test, target_os = "linux"))]
pub fn commands() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|(_, command, _)| *command)
}

/// Chooses the first five commands whose verb works here, at least in part.
pub fn suggestions(findings: &[Finding]) -> Suggestions {
    let mut chosen = Suggestions {
        commands: Vec::new(),
        refused: Vec::new(),
    };
    for (verb, command, why) in ALL {
        let findings = findings.iter().cloned().map(|it| it.of_verb(verb));
        let findings: Vec<Finding> = findings.collect();
        match verdict(verb, &findings).works {
            Word::Not => chosen.refused.push(verb),
            _ if chosen.commands.len() == MOST => {}
            _ => chosen.commands.push(Suggestion {
                verb,
                command,
                why,
                lost: lost(&findings),
            }),
        }
    }
    chosen
}

/// Returns the figures that the findings about one verb take from it, each once.
fn lost(findings: &[Finding]) -> Vec<String> {
    let mut lost: Vec<String> = Vec::new();
    for concern in findings.iter().flat_map(|finding| &finding.concerns) {
        if concern.effect == Effect::Limits && !lost.contains(&concern.what) {
            lost.push(concern.what.clone());
        }
    }
    lost
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::diagnosis::{examine, made_up};

    #[test]
    fn five_commands_that_work_are_suggested_on_every_system() {
        for (name, reading) in made_up::all() {
            let findings = examine(&reading, None);
            let chosen = suggestions(&findings);
            assert_eq!(chosen.commands.len(), MOST, "{name}");
            for suggestion in &chosen.commands {
                let of_verb = findings.iter().cloned();
                let of_verb: Vec<Finding> = of_verb.map(|it| it.of_verb(suggestion.verb)).collect();
                let word = verdict(suggestion.verb, &of_verb).works;
                assert_ne!(word, Word::Not, "{name}: {}", suggestion.command);
            }
        }
    }

    #[test]
    fn a_verb_that_is_blocked_makes_room_for_the_next() {
        let blocked = |verb| {
            let finding = Finding::new("x", locktoll_results::doctor::State::Missing, None);
            let chosen = suggestions(&[finding.concerns(verb, Effect::Blocks, "all")]);
            let verbs: Vec<Verb> = chosen.commands.iter().map(|it| it.verb).collect();
            (verbs, chosen.refused)
        };
        let (verbs, refused) = blocked(Verb::Attach);
        assert_eq!(refused, [Verb::Attach]);
        assert_eq!(
            verbs,
            [
                Verb::Tour,
                Verb::Record,
                Verb::Try,
                Verb::Machine,
                Verb::Hang
            ]
        );
        // The tour records a program, so it goes with `record`.
        let (verbs, refused) = blocked(Verb::Record);
        assert_eq!(refused, [Verb::Tour, Verb::Record]);
        assert_eq!(verbs[0], Verb::Attach);
    }
}
