//! The calls on which the locks themselves rely.

use crate::diagnosis::Reading;
use crate::diagnosis::reading::SliceExtension;
use locktoll_results::doctor::Where;
use locktoll_results::doctor::{Effect, Finding, Remedy, State, Verb};
use locktoll_substitute::slice_extension::LEAST_BYTES;

/// Returns the findings about restartable sequences, the barrier that makes them useful, and their time slice extension.
pub fn findings(reading: &Reading) -> Vec<Finding> {
    vec![
        restartable(reading),
        barrier(reading),
        slice_extension(reading),
    ]
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

/// Reports the time slice extension. Nothing is lost without it: only candidates that the user names need it, and no lock is
/// among the defaults that does.
fn slice_extension(reading: &Reading) -> Finding {
    const ID: &str = "slice-extension";
    const NOTE: &str = "for `try --lock NAME+slice`";
    match no_slice_extension(reading) {
        None => Finding::new(ID, State::Works, "offered by the kernel".to_owned()),
        Some(why) => Finding::new(ID, State::Missing, why),
    }
    .note(NOTE)
}

/// Returns the reason why threads cannot request time slice extensions here, if there is one.
pub fn no_slice_extension(reading: &Reading) -> Option<String> {
    let SliceExtension {
        kernel_bytes,
        area_bytes,
        is_offered,
    } = reading.calls.slice_extension;
    let why = if is_offered {
        return None;
    } else if kernel_bytes < LEAST_BYTES {
        "this kernel has no time slice extension of rseq(2), which needs Linux 7.0 or later"
    } else if area_bytes == 0 {
        "the C library has registered no areas for rseq(2), so the kernel offers no time slice extension"
    } else if area_bytes < LEAST_BYTES {
        "the C library registers rseq(2) areas of the original 32 bytes, for which the kernel offers no time slice extension; a newer C library is needed"
    } else {
        "this kernel is built without the time slice extension of rseq(2) (CONFIG_RSEQ_SLICE_EXTENSION), or was started with \
         rseq_slice_ext=off"
    };
    Some(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::{made_up, refusal};

    #[test]
    fn only_the_architecture_that_has_such_a_release_can_lose_it() {
        let mut reading = made_up::old_kernel();
        let lost = |reading: &Reading| [restartable(reading), barrier(reading)];
        assert!(lost(&reading).iter().all(|it| it.concerns.len() == 2));
        reading.machine.architecture = "aarch64".to_owned();
        assert!(lost(&reading).iter().all(|it| it.concerns.is_empty()));
        reading.calls.membarrier = None;
        assert_eq!(barrier(&reading).state, State::Missing);
    }

    #[test]
    fn the_slice_extension_is_missing_for_one_reason_at_a_time() {
        let mut reading = made_up::server();
        let mut why = |kernel_bytes, area_bytes, is_offered| {
            reading.calls.slice_extension = SliceExtension {
                kernel_bytes,
                area_bytes,
                is_offered,
            };
            let finding = slice_extension(&reading);
            assert!(
                finding.concerns.is_empty(),
                "only those who name it need it"
            );
            assert_eq!(refusal(Verb::Try, &reading), None);
            assert_eq!(finding.state == State::Works, is_offered);
            finding.value.unwrap()
        };
        assert!(why(28, 32, false).contains("Linux 7.0 or later"));
        assert!(why(0, 0, false).contains("Linux 7.0 or later"));
        assert!(why(33, 0, false).contains("no areas"));
        assert!(why(33, 32, false).contains("original 32 bytes"));
        assert!(why(33, 33, false).contains("rseq_slice_ext=off"));
        assert_eq!(why(33, 33, true), "offered by the kernel");
    }
}
