//! The calls on which the locks themselves rely.

use crate::diagnosis::Reading;
use locktoll_results::doctor::Where;
use locktoll_results::doctor::{Effect, Finding, Remedy, State, Verb};

/// Returns the findings about restartable sequences and the barrier that makes them useful.
pub fn findings(reading: &Reading) -> Vec<Finding> {
    vec![restartable(reading), barrier(reading)]
}

/// What is lost: `tollgate` then releases with an exchange.
const WHAT: &str = "tollgate's release as a plain store";

/// Whether the lock has such a release: only on this architecture.
fn concerned(reading: &Reading) -> bool {
    reading.machine.architecture == "x86_64"
}

fn lacking(reading: &Reading, finding: Finding, remedy: Remedy) -> Finding {
    match concerned(reading) {
        true => finding
            .concerns(Verb::Bench, Effect::Limits, WHAT)
            .concerns(Verb::Try, Effect::Limits, WHAT)
            .remedy(remedy),
        false => finding,
    }
}

fn restartable(reading: &Reading) -> Finding {
    const ID: &str = "rseq";
    if reading.calls.restartable_sequences {
        return Finding::new(ID, State::Works, "registered by the C library".to_owned());
    }
    let finding = Finding::new(ID, State::Missing, "not registered".to_owned());
    let remedy = Remedy::words(
        Where::Nowhere,
        "needs glibc 2.35 or later, Linux 4.18 or later (CONFIG_RSEQ=y), and GLIBC_TUNABLES without \
         glibc.pthread.rseq=0",
    );
    lacking(reading, finding, remedy)
}

fn barrier(reading: &Reading) -> Finding {
    const ID: &str = "membarrier";
    match reading.calls.restarts_sequences() {
        Some(true) => Finding::new(ID, State::Works, "PRIVATE_EXPEDITED_RSEQ".to_owned()),
        Some(false) => lacking(
            reading,
            Finding::new(
                ID,
                State::Missing,
                "without PRIVATE_EXPEDITED_RSEQ".to_owned(),
            ),
            Remedy::words(
                Where::Boot,
                "needs Linux 5.10 or later, built with CONFIG_RSEQ=y and CONFIG_MEMBARRIER=y",
            ),
        ),
        None => lacking(
            reading,
            Finding::new(ID, State::Missing, "membarrier(2) is refused".to_owned()),
            Remedy::words(
                Where::Outside,
                "start locktoll where no seccomp filter refuses membarrier(2)",
            ),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::made_up;

    #[test]
    fn only_the_architecture_that_has_such_a_release_can_lose_it() {
        let mut reading = made_up::old_kernel();
        assert!(findings(&reading).iter().all(|it| it.concerns.len() == 2));
        reading.machine.architecture = "aarch64".to_owned();
        assert!(findings(&reading).iter().all(|it| it.concerns.is_empty()));
        reading.calls.membarrier = None;
        assert_eq!(barrier(&reading).state, State::Missing);
    }
}
