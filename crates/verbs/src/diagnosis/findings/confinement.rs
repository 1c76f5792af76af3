//! Containers and name spaces.

use crate::diagnosis::remedy::{Engine, grant, run_with};
use crate::diagnosis::{Capability, Reading};
use locktoll_results::doctor::Where;
use locktoll_results::doctor::{Effect, Finding, Remedy, State, Verb};

/// Returns the findings about what confines this process.
pub fn findings(reading: &Reading, wanted: &[Capability]) -> Vec<Finding> {
    vec![
        user_namespace(reading, wanted),
        container(reading),
        pid_namespace(reading, wanted),
    ]
}

fn user_namespace(reading: &Reading, wanted: &[Capability]) -> Finding {
    const ID: &str = "user-namespace";
    match reading.privileges.first_user_namespace {
        None => Finding::new(ID, State::Unknown, None),
        Some(true) => Finding::new(ID, State::Works, "initial namespace".to_owned()),
        Some(false) => Finding::new(ID, State::Missing, "not the initial namespace".to_owned())
            .note("capabilities in it, including root's, do not allow BPF")
            .keeps_programs_out(&Verb::TRACING)
            .remedy(grant(reading, wanted)),
    }
}

/// Reports the container. It is not an obstacle by itself: each thing that it takes away has its own finding.
fn container(reading: &Reading) -> Finding {
    const ID: &str = "container";
    match (reading.container(), &reading.machine.container) {
        (Some(kind), _) => Finding::new(ID, State::Works, kind.to_owned()),
        (None, Some(mark)) => Finding::new(ID, State::Works, "none".to_owned()).note(format!(
            "found the mark of {mark}, but all namespaces are the host's"
        )),
        (None, None) => Finding::new(ID, State::Works, "none".to_owned()),
    }
}

fn pid_namespace(reading: &Reading, wanted: &[Capability]) -> Finding {
    const ID: &str = "pid-namespace";
    match reading.privileges.first_pid_namespace {
        None => Finding::new(ID, State::Unknown, None),
        Some(true) => Finding::new(ID, State::Works, "initial namespace".to_owned()),
        Some(false) => {
            const HIDDEN: &str = "processes outside of this container";
            let remedy = match Engine::around(reading) {
                Some(engine @ (Engine::Docker | Engine::Podman)) => {
                    run_with(reading, engine, wanted, &["--pid=host"])
                }
                Some(engine) => run_with(reading, engine, wanted, &[]),
                None => Remedy::words(Where::Outside, "run locktoll outside of this PID namespace"),
            };
            Finding::new(ID, State::Limited, "not the initial namespace".to_owned())
                .concerns(Verb::Attach, Effect::Limits, HIDDEN)
                .concerns(Verb::Top, Effect::Limits, HIDDEN)
                .remedy(remedy)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::made_up;

    #[test]
    fn a_mark_without_a_name_space_is_no_container() {
        let mut reading = made_up::server();
        reading.machine.container = Some("docker".to_owned());
        let marked = container(&reading);
        assert_eq!(marked.value.as_deref(), Some("none"));
        assert!(marked.note.unwrap().contains("mark of docker, but"));
        assert_eq!(Engine::around(&reading), None);
        reading.privileges.confined = Some(true);
        assert_eq!(container(&reading).value.as_deref(), Some("docker"));
        assert_eq!(Engine::around(&reading), Some(Engine::Docker));
        // Where /proc does not show it, the mark is the only evidence.
        reading.privileges.confined = None;
        assert_eq!(Engine::around(&reading), Some(Engine::Docker));
    }

    #[test]
    fn process_ids_of_their_own_hide_the_rest() {
        let reading = made_up::container();
        let found = pid_namespace(&reading, &[Capability::Bpf]);
        let remedy = found.remedy.unwrap();
        assert_eq!(
            remedy.commands,
            ["docker run --cap-add BPF --pid=host IMAGE"]
        );
        assert_eq!(remedy.place, Where::Outside);
    }
}
