//! The kernel's version, its types and tracepoints.

use crate::diagnosis::reading::{Btf, Feature, Tracefs, Trial};
use crate::diagnosis::remedy::{as_root, grant, setting};
use crate::diagnosis::{Capability, KernelVersion, Reading};
use locktoll_results::doctor::Where;
use locktoll_results::doctor::{Finding, Remedy, State, Verb};

/// Returns what is known of the kernel's side of tracing.
pub fn findings(reading: &Reading, for_one: Option<Verb>) -> Vec<Finding> {
    let mut findings = vec![version(reading, for_one), btf(reading)];
    findings.extend(features(reading));
    findings.push(tracefs(reading));
    findings
}

/// Returns the verbs that use `feature`.
fn users(feature: Feature) -> &'static [Verb] {
    match feature {
        Feature::TaskStorage => &Verb::TRACING,
        Feature::TaskRegisters | Feature::SchedSwitch => {
            &[Verb::RecordPreemption, Verb::Attach, Verb::Top]
        }
        Feature::SwitchState => &[Verb::RecordPreemption, Verb::Top],
        Feature::Loop | Feature::SystemCalls => &[Verb::Attach],
        Feature::Contention => &[Verb::Kernel],
    }
}

/// Returns the oldest version that has everything `verb` uses.
pub fn least_version(verb: Verb) -> Option<KernelVersion> {
    let used = Feature::ALL
        .into_iter()
        .filter(|feature| users(*feature).contains(&verb));
    used.map(Feature::since).max()
}

fn version(reading: &Reading, for_one: Option<Verb>) -> Finding {
    const ID: &str = "kernel-version";
    let value = reading.machine.kernel.clone();
    let Some(version) = reading.kernel_version() else {
        return Finding::new(ID, State::Unknown, value);
    };
    // Where the kernel shows its types, they decide: distributions backport features.
    let told = matches!(reading.kernel.btf, Btf::Present(_));
    let too_old = |verb: &&Verb| least_version(**verb).is_some_and(|least| version < least);
    let verbs: Vec<Verb> = Verb::TRACING.iter().filter(too_old).copied().collect();
    if told || verbs.is_empty() {
        return Finding::new(ID, State::Works, value);
    }
    let state = match verbs.len() == Verb::TRACING.len() {
        true => State::Missing,
        false => State::Limited,
    };
    let words = match for_one.and_then(least_version) {
        Some(least) => format!("needs Linux {least} or later"),
        None => {
            let each: Vec<String> = verbs
                .iter()
                .filter_map(|verb| {
                    Some(format!("{} for `{}`", least_version(*verb)?, verb.words()))
                })
                .collect();
            format!("it takes Linux {}, or later", each.join(", "))
        }
    };
    Finding::new(ID, state, value)
        .note("the kernel is too old")
        .keeps_programs_out(&verbs)
        .remedy(Remedy::words(Where::Boot, words))
}

fn btf(reading: &Reading) -> Finding {
    const ID: &str = "btf";
    match &reading.kernel.btf {
        Btf::Present(_) => Finding::new(ID, State::Works, "/sys/kernel/btf/vmlinux".to_owned()),
        Btf::Unreadable(reason) => Finding::new(ID, State::Missing, reason.clone())
            .keeps_programs_out(&Verb::TRACING)
            .remedy(Remedy::here(as_root(
                reading,
                "chmod a+r /sys/kernel/btf/vmlinux",
            ))),
        Btf::NoSysfs => Finding::new(ID, State::Missing, "/sys is not mounted here".to_owned())
            .note("/sys/kernel/btf/vmlinux has the kernel's types, which tracing programs need")
            .keeps_programs_out(&Verb::TRACING)
            .remedy(setting(reading, "mount -t sysfs sysfs /sys")),
        Btf::Absent => {
            let built_with = reading
                .kernel
                .config
                .as_ref()
                .map(|config| config.has("DEBUG_INFO_BTF"));
            let (value, remedy) = match built_with {
                Some(true) => (
                    "/sys/kernel/btf/vmlinux is not there, though the kernel has CONFIG_DEBUG_INFO_BTF",
                    setting(reading, "mount -t sysfs sysfs /sys"),
                ),
                _ => (
                    "/sys/kernel/btf/vmlinux is not there",
                    Remedy::words(
                        Where::Boot,
                        "needs a kernel built with CONFIG_DEBUG_INFO_BTF=y, as those of Debian 11, Ubuntu 20.10, \
                         Fedora 32, RHEL 8.2 and later are",
                    ),
                ),
            };
            Finding::new(ID, State::Missing, value.to_owned())
                .note("the kernel's types, which tracing programs need")
                .keeps_programs_out(&Verb::TRACING)
                .remedy(remedy)
        }
    }
}

/// Reports the features that are missing according to the types.
fn features(reading: &Reading) -> Option<Finding> {
    const ID: &str = "bpf-features";
    let Btf::Present(there) = &reading.kernel.btf else {
        return None;
    };
    let missing: Vec<Feature> = Feature::ALL
        .into_iter()
        .filter(|feature| !there.contains(feature))
        .collect();
    if missing.is_empty() {
        let words: Vec<&str> = Feature::ALL.into_iter().map(Feature::words).collect();
        return Some(Finding::new(ID, State::Works, words.join(", ")));
    }
    let verbs: Vec<Verb> = Verb::TRACING
        .into_iter()
        .filter(|verb| missing.iter().any(|feature| users(*feature).contains(verb)))
        .collect();
    let least = missing.iter().map(|feature| feature.since()).max()?;
    let words: Vec<String> = missing
        .iter()
        .map(|feature| format!("{} (Linux {})", feature.words(), feature.since()))
        .collect();
    let state = match verbs.len() == Verb::TRACING.len() {
        true => State::Missing,
        false => State::Limited,
    };
    // A new kernel without a tracepoint was built without it.
    let remedy = match reading.kernel_version().is_some_and(|version| version >= least) {
        true => "needs a kernel built with CONFIG_BPF_SYSCALL=y, CONFIG_FTRACE=y and CONFIG_FTRACE_SYSCALLS=y".to_owned(),
        false => format!("needs Linux {least} or later"),
    };
    Some(
        Finding::new(ID, state, format!("lacks {}", words.join(", ")))
            .keeps_programs_out(&verbs)
            .remedy(Remedy::words(Where::Boot, remedy)),
    )
}

/// Reports uprobes. A recorded program passes data to the kernel's side by calling a function to which a program is attached. The
/// kernel asks for more privileges for that than for tracepoints (`perf_uprobe_event_init`).
pub fn uprobes(reading: &Reading, wanted: &[Capability]) -> Vec<Finding> {
    const ID: &str = "uprobes";
    const PLACE: &str = "/sys/bus/event_source/devices/uprobe";
    const VERBS: [Verb; 1] = [Verb::RecordPreemption];
    let finding = match (
        reading.kernel.uprobes,
        reading.permits(Capability::SysAdmin),
    ) {
        (false, _) => Finding::new(ID, State::Missing, format!("{PLACE} is not there"))
            .keeps_programs_out(&VERBS)
            .remedy(Remedy::words(
                Where::Boot,
                "needs a kernel built with CONFIG_UPROBE_EVENTS=y",
            )),
        (true, Some(false)) => {
            let mut wanted = wanted.to_vec();
            if !wanted.contains(&Capability::SysAdmin) {
                wanted.push(Capability::SysAdmin);
            }
            Finding::new(ID, State::Missing, "CAP_SYS_ADMIN lacking".to_owned())
                .note("every user who may run a file with this capability is nearly root")
                .keeps_programs_out(&VERBS)
                .remedy(grant(reading, &wanted))
        }
        (true, _) => Finding::new(ID, State::Works, PLACE.to_owned()),
    };
    vec![finding]
}

/// Reports tracefs, which other tools use but locktoll does not.
fn tracefs(reading: &Reading) -> Finding {
    const NOT_NEEDED: &str = "not needed: tracepoints are reached through BTF";
    let (state, value) = match &reading.kernel.tracefs {
        Tracefs::Mounted {
            place,
            readable: true,
        } => (State::Works, place.clone()),
        Tracefs::Mounted { place, .. } => (State::Limited, format!("{place}, not readable")),
        Tracefs::NotMounted => (State::Missing, "not mounted".to_owned()),
    };
    let finding = Finding::new("tracefs", state, value).note(NOT_NEEDED);
    match reading.kernel.tracefs {
        Tracefs::NotMounted => finding.remedy(setting(
            reading,
            "mount -t tracefs tracefs /sys/kernel/tracing",
        )),
        Tracefs::Mounted { .. } => finding,
    }
}

/// Name of the finding of the real trial.
pub const TRIAL_ID: &str = "tracing-programs";

/// Reports the result of loading a program.
pub fn trial(reading: &Reading) -> Vec<Finding> {
    const ID: &str = TRIAL_ID;
    let finding = match &reading.trial {
        Trial::NotTried => return Vec::new(),
        Trial::Loaded => Finding::new(
            ID,
            State::Works,
            "a program at sched_switch was loaded, and unloaded".to_owned(),
        ),
        Trial::Refused { reason } => Finding::new(ID, State::Missing, reason.clone())
            .keeps_programs_out(&Verb::TRACING)
            .remedy(Remedy::words(
                Where::Nowhere,
                "the kernel's log may say why (dmesg)",
            )),
    };
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::made_up;
    use locktoll_results::doctor::Effect;

    #[test]
    fn versions_follow_from_the_features_that_verbs_use() {
        assert_eq!(least_version(Verb::Attach), Some(KernelVersion(5, 17)));
        assert_eq!(least_version(Verb::Kernel), Some(KernelVersion(5, 19)));
        assert_eq!(least_version(Verb::Top), Some(KernelVersion(5, 18)));
        assert_eq!(least_version(Verb::Record), None);
    }

    #[test]
    fn features_that_were_carried_back_count_more_than_the_version() {
        let mut reading = made_up::server();
        reading.machine.kernel = Some("5.14.0-427.el9.x86_64".to_owned());
        assert!(
            findings(&reading, None)
                .iter()
                .all(|it| it.state == State::Works)
        );
        let Btf::Present(features) = &mut reading.kernel.btf else {
            panic!("a server has types");
        };
        features.remove(&Feature::Contention);
        let lacking = findings(&reading, None);
        let lacking = lacking.iter().find(|it| it.id == "bpf-features").unwrap();
        assert_eq!(lacking.state, State::Limited);
        assert_eq!(lacking.concerns.len(), 1);
        assert_eq!(
            (lacking.concerns[0].verb, lacking.concerns[0].effect),
            (Verb::Kernel, Effect::Blocks)
        );
        let note = lacking.remedy.as_ref().unwrap().note.clone().unwrap();
        assert_eq!(note, "needs Linux 5.19 or later");
    }

    #[test]
    fn without_uprobes_only_recording_with_the_kernel_is_kept_out() {
        let mut reading = made_up::server();
        reading.kernel.uprobes = false;
        let found = uprobes(&reading, &[]).remove(0);
        assert_eq!(found.concerns.len(), 1);
        assert!(found.keeps_out(Verb::RecordPreemption));
        // The kernel has them, but does not give them to everybody.
        let found = uprobes(&made_up::laptop(), &[Capability::Bpf]).remove(0);
        assert_eq!(
            found.remedy.unwrap().commands,
            ["sudo setcap cap_bpf,cap_sys_admin=ep /home/ann/bin/locktoll"]
        );
    }

    #[test]
    fn a_new_kernel_that_lacks_a_tracepoint_was_built_without_it() {
        let mut reading = made_up::server();
        let Btf::Present(features) = &mut reading.kernel.btf else {
            panic!("a server has types");
        };
        features.remove(&Feature::SystemCalls);
        let lacking = features_of(&reading);
        assert!(lacking.remedy.unwrap().line().contains("CONFIG_FTRACE"));
        assert_eq!(lacking.concerns.len(), 1);
        assert_eq!(lacking.concerns[0].verb, Verb::Attach);
    }

    fn features_of(reading: &Reading) -> Finding {
        features(reading).unwrap()
    }
}
