//! The result, made of the remedies of a profile.

use locktoll_results::advice::AdviceResult;
use locktoll_results::profile::Profile;

use super::lock_use::Situation;
use super::ranked;

/// Returns the advice of a profile, on all its locks or on the one with this id.
pub fn advice(profile: &Profile, only: Option<&str>) -> AdviceResult {
    let mut result = AdviceResult {
        schema: AdviceResult::SCHEMA.to_owned(),
        version: locktoll_terminal::version::version().to_owned(),
        command: profile.command.clone(),
        recording: None,
        made: profile.made.clone(),
        duration_ns: profile.duration_ns,
        wait_share: Situation::of(profile).wait_share(),
        partial: false,
        conclusion: String::new(),
        remedies: ranked::remedies(profile, only),
        sweep: Vec::new(),
        remarks: remarks(profile),
    };
    conclude(&mut result, profile);
    result
}

/// Returns what limits the advice: the recorder's own warnings, and other programs on the CPUs.
fn remarks(profile: &Profile) -> Vec<String> {
    let situation = Situation::of(profile);
    let cpu_wait = situation.cpu_wait_share();
    let active = situation.active_threads(0.05);
    let mut remarks = profile.warnings.clone();
    if cpu_wait >= 0.1 && active <= situation.cpus {
        remarks.push(format!(
            "{:.0} % of the threads' time was waiting for a CPU, although no more threads ran than there are CPUs: other programs used \
             them. Gains that need CPUs are larger on a quiet machine.",
            100.0 * cpu_wait
        ));
    }
    remarks
}

/// Orders the remedies, and states the answer.
pub fn conclude(result: &mut AdviceResult, profile: &Profile) {
    ranked::sort(&mut result.remedies);
    result.conclusion = ranked::conclusion(&result.remedies, profile);
}
