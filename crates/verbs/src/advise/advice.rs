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
        remarks: profile.warnings.clone(),
    };
    conclude(&mut result, profile);
    result
}

/// Orders the remedies, and states the answer.
pub fn conclude(result: &mut AdviceResult, profile: &Profile) {
    ranked::sort(&mut result.remedies);
    result.conclusion = ranked::conclusion(&result.remedies, profile);
}
