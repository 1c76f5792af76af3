//! The meaning of the kernel's refusal, in words that help the user to solve it.

use super::{Reading, refusal};
use locktoll_results::doctor::Verb;
use locktoll_terminal::failure::Failure;

/// Replaces the kernel's message with the reason and the remedy, where they are known. The system is read only after such a
/// failure.
pub fn explained(verb: Verb) -> impl Fn(Failure) -> Failure {
    move |failure| match failure {
        Failure::NotTraced(said) => match refusal(verb, &Reading::take().tried()) {
            Some(line) => Failure::Unsupported(line),
            None => Failure::NotTraced(said),
        },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_failures_are_left_alone() {
        let failure = explained(Verb::Attach)(Failure::Usage("no such process".to_owned()));
        assert!(matches!(failure, Failure::Usage(text) if text == "no such process"));
    }

    #[test]
    fn what_nothing_explains_stays_as_it_was_said() {
        let failure = explained(Verb::Attach)(Failure::NotTraced("E2BIG".to_owned()));
        match failure {
            Failure::NotTraced(said) => assert_eq!(said, "E2BIG"),
            Failure::Unsupported(line) => assert!(line.starts_with("`attach` cannot trace here")),
            other => panic!("{other:?}"),
        }
    }
}
