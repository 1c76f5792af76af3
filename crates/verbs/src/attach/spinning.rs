//! The detector of busy waiting, for the processes that are watched.

use super::subjects::Subjects;
use crate::attach::flags::AttachArgs;
use locktoll_sources::perf::Refused;
use locktoll_sources::spinning::{self, Detector};
use locktoll_terminal::output;

/// Begins to sample, if it is wanted and permitted. Where it is not permitted, it says so once.
pub fn begin(args: &AttachArgs, subjects: &Subjects) -> Option<Detector> {
    let rate = args.spin.rate()?;
    let wanted = spinning::Subjects::Running {
        pids: subjects.now.iter().map(|it| it.pid).collect(),
        children: args.children || subjects.cgroup.is_some(),
    };
    Detector::begin(wanted, rate)
        .inspect_err(|&why| not_seen(why))
        .ok()
}

fn not_seen(why: Refused) {
    output::say(&format!(
        "locktoll: busy waiting is not detected: {why}; `locktoll doctor record` names the command that allows it"
    ));
}
