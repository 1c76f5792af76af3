//! The one line with which a verb ends when it cannot work here.

use super::{Reading, examine};
use locktoll_results::doctor::{Effect, Finding, Verb};

/// Says why `verb` cannot load its programs into the kernel here, and what would allow it, in one line without a newline; `None`
/// if no obstacle is known. For a verb that loads none, says why it has no figures at all.
///
/// `top` and `record --preemption` still do something without programs: for them, this is an additional message.
pub fn refusal(verb: Verb, reading: &Reading) -> Option<String> {
    let findings = examine(reading, Some(verb)).into_iter();
    let mut findings = findings.map(|finding| finding.of_verb(verb));
    let finding = findings.find(|it| in_the_way(it, verb))?;
    Some(line(verb, &finding, reading))
}

/// Whether the finding keeps out the programs of a tracing verb, or blocks any other verb.
fn in_the_way(finding: &Finding, verb: Verb) -> bool {
    let mut concerns = finding.concerns.iter();
    let blocks = concerns.any(|it| it.verb == verb && it.effect == Effect::Blocks);
    blocks || finding.keeps_out(verb)
}

fn line(verb: Verb, finding: &Finding, reading: &Reading) -> String {
    let why = reason(finding, reading);
    let remedy = finding.remedy.as_ref().map(|remedy| remedy.line());
    let remedy = remedy.filter(|line| !line.is_empty());
    let remedy = remedy.map_or(String::new(), |line| format!("; {line}"));
    let doing = match finding.keeps_out(verb) {
        true => "trace",
        false => "work",
    };
    let line = format!("`{}` cannot {doing} here: {why}{remedy}", verb.words());
    line.replace('\n', " ")
}

/// Returns the obstacle, in words that need no context.
fn reason(finding: &Finding, reading: &Reading) -> String {
    let value = finding.value.as_deref().unwrap_or("not readable");
    let release = reading.machine.kernel.as_deref().unwrap_or("unknown");
    match finding.id {
        "kernel-version" => format!("this is Linux {value}"),
        "btf" | "bpf-features" => format!("Linux {release}: {value}"),
        "capabilities" => match &finding.note {
            Some(note) => note.clone(),
            None => value.to_owned(),
        },
        "lockdown" => format!("the kernel is locked down for {value}"),
        "user-namespace" => {
            "this is not the initial user namespace, and its capabilities do not allow BPF"
                .to_owned()
        }
        "seccomp" if reading.privileges.seccomp_filter == Some(false) => {
            "bpf(2) does not exist".to_owned()
        }
        "seccomp" => format!("{value} (seccomp)"),
        "tracing-programs" => format!("the kernel does not load tracing programs: {value}"),
        "subreaper" => value.to_owned(),
        _ => format!("{}: {value}", finding.id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::made_up;
    use crate::diagnosis::reading::{Btf, Feature, Trial};

    /// Checks what holds for every refusal, and returns the refusal.
    fn refused(verb: Verb, reading: &Reading) -> String {
        let line = refusal(verb, reading).expect("it cannot work");
        assert!(!line.contains('\n') && line.starts_with('`'), "{line}");
        line
    }

    #[test]
    fn nothing_is_refused_to_root_on_a_new_kernel() {
        for verb in Verb::ALL {
            assert_eq!(refusal(verb, &made_up::server()), None, "{verb:?}");
        }
    }

    #[test]
    fn without_privileges_the_command_names_this_binary_and_what_the_verb_uses() {
        let laptop = made_up::laptop();
        assert_eq!(
            refused(Verb::Attach, &laptop),
            "`attach` cannot trace here: CAP_BPF and CAP_PERFMON are lacking; allow it \
             with: sudo setcap cap_bpf,cap_perfmon,cap_sys_ptrace=ep /home/ann/bin/locktoll (or run it with sudo)"
        );
        assert!(
            refused(Verb::Kernel, &laptop).contains("setcap cap_bpf,cap_perfmon,cap_syslog=ep ")
        );
        assert!(refused(Verb::RecordPreemption, &laptop).contains("setcap cap_sys_admin=ep "));
        assert!(refused(Verb::Top, &laptop).contains("CAP_BPF"));
        for verb in [Verb::Record, Verb::Try, Verb::Machine, Verb::Bench] {
            assert_eq!(refusal(verb, &laptop), None, "{verb:?}");
        }
    }

    #[test]
    fn what_this_process_had_from_its_file_is_kept() {
        let mut reading = made_up::laptop();
        let has = crate::diagnosis::Capabilities::of(&[crate::diagnosis::Capability::Syslog]);
        reading.privileges.permitted = Some(has);
        reading.privileges.effective = Some(has);
        let line = refused(Verb::Attach, &reading);
        assert!(
            line.contains("setcap cap_bpf,cap_perfmon,cap_sys_ptrace,cap_syslog=ep "),
            "{line}"
        );
    }

    #[test]
    fn where_capabilities_of_files_do_not_count_another_way_is_named() {
        let mut nosuid = made_up::laptop();
        nosuid.binary.nosuid = Some(true);
        let line = refused(Verb::Kernel, &nosuid);
        assert!(
            line.contains("install -m 755 /home/ann/bin/locktoll /usr/local/bin/locktoll"),
            "{line}"
        );

        let mut bound = made_up::laptop();
        bound.privileges.no_new_privs = Some(true);
        let line = refused(Verb::Kernel, &bound);
        assert!(
            line.contains("from outside: sudo setcap") && line.contains("no_new_privs"),
            "{line}"
        );

        let mut barred = made_up::laptop();
        barred.privileges.bounding = Some(crate::diagnosis::Capabilities(0));
        let line = refused(Verb::Kernel, &barred);
        assert!(
            line.contains("sudo systemd-run --pty --same-dir /home/ann/bin/locktoll")
                && line.contains("so setcap cannot help"),
            "{line}"
        );
        barred.systemd = false;
        let line = refused(Verb::Kernel, &barred);
        assert!(line.contains("another session"), "{line}");

        let mut old = made_up::laptop();
        old.privileges.last_capability = Some(37);
        let line = refused(Verb::RecordPreemption, &old);
        assert!(line.contains("setcap cap_sys_admin=ep "), "{line}");
    }

    #[test]
    fn a_container_gets_the_flags_of_its_engine() {
        let mut reading = made_up::container();
        let line = refused(Verb::Attach, &reading);
        assert!(
            line.contains(
                "from outside: docker run --cap-add BPF --cap-add PERFMON --cap-add SYS_PTRACE IMAGE"
            ),
            "{line}"
        );
        reading.machine.container = Some("kubepods".to_owned());
        reading.privileges.user_id = Some(1000);
        assert!(refused(Verb::Attach, &reading).contains("add: [BPF, PERFMON, SYS_PTRACE]"));
        reading.machine.container = Some("systemd-nspawn".to_owned());
        assert!(
            refused(Verb::Kernel, &reading).contains("--capability=CAP_BPF,CAP_PERFMON,CAP_SYSLOG")
        );
        reading.machine.container = Some("lxc".to_owned());
        assert!(refused(Verb::Attach, &reading).contains("on the host"));
    }

    #[test]
    fn capabilities_of_a_user_namespace_do_not_count() {
        let mut reading = made_up::server();
        reading.trial = Trial::NotTried;
        reading.privileges.first_user_namespace = Some(false);
        let line = refused(Verb::Attach, &reading);
        assert!(line.contains("not the initial user namespace"), "{line}");
        assert!(line.contains("sudo /usr/local/bin/locktoll VERB"), "{line}");
        reading.machine.container = Some("podman".to_owned());
        reading.privileges.confined = Some(true);
        assert!(refused(Verb::Attach, &reading).contains("sudo podman run --cap-add BPF"));
    }

    #[test]
    fn a_filter_shows_by_refusing_those_who_may() {
        let mut reading = made_up::server();
        reading.trial = Trial::NotTried;
        reading.privileges.seccomp_filter = Some(true);
        assert_eq!(refusal(Verb::Attach, &reading), None);
        reading.calls.bpf_error = libc::EPERM;
        let line = refused(Verb::Attach, &reading);
        assert!(line.contains("SystemCallFilter="), "{line}");
        // A mark alone does not make a container.
        reading.machine.container = Some("docker".to_owned());
        assert!(!refused(Verb::Attach, &reading).contains("docker"));
        reading.privileges.confined = Some(true);
        assert!(refused(Verb::Attach, &reading).contains("--security-opt seccomp=unconfined"));
    }

    #[test]
    fn an_old_kernel_is_told_the_least_version() {
        let old = made_up::old_kernel();
        let line = refused(Verb::Attach, &old);
        assert!(
            line.contains("this is Linux 4.18.0-80.el8.x86_64"),
            "{line}"
        );
        assert!(line.contains("Linux 5.17 or later"), "{line}");
        let line = refused(Verb::Kernel, &old);
        assert!(line.contains("Linux 5.19 or later"), "{line}");
        assert_eq!(refusal(Verb::Record, &old), None);
    }

    #[test]
    fn a_new_kernel_without_types_or_a_tracepoint_is_told_how_to_build_it() {
        let mut reading = made_up::server();
        reading.trial = Trial::NotTried;
        let mut features = std::collections::BTreeSet::from(Feature::ALL);
        features.remove(&Feature::Contention);
        reading.kernel.btf = Btf::Present(features);
        assert_eq!(refusal(Verb::Attach, &reading), None);
        assert!(refused(Verb::Kernel, &reading).contains("lock:contention_begin"));
        // The loading of a tiny program proves nothing about this tracepoint.
        reading.trial = Trial::Loaded;
        assert!(refused(Verb::Kernel, &reading).contains("lock:contention_begin"));

        reading.trial = Trial::NotTried;
        reading.kernel.btf = Btf::Absent;
        assert!(refused(Verb::Attach, &reading).contains("CONFIG_DEBUG_INFO_BTF=y"));
        reading.kernel.btf = Btf::NoSysfs;
        let line = refused(Verb::Attach, &reading);
        assert!(line.contains("/sys is not mounted here") && line.contains("mount -t sysfs"));
    }

    #[test]
    fn lockdown_is_named_and_what_was_tried_counts_more() {
        let mut reading = made_up::locked_down();
        let line = refused(Verb::Kernel, &reading);
        assert!(
            line.contains("confidentiality") && line.contains("lockdown=integrity"),
            "{line}"
        );
        reading.trial = Trial::Loaded;
        assert_eq!(refusal(Verb::Kernel, &reading), None);
        let mut refused_anyhow = made_up::server();
        refused_anyhow.trial = Trial::Refused {
            reason: "BPF_PROG_LOAD: Invalid argument".to_owned(),
        };
        assert!(refused(Verb::Top, &refused_anyhow).contains("BPF_PROG_LOAD: Invalid argument"));
    }

    #[test]
    fn a_library_without_a_folder_is_refused_too() {
        let mut reading = made_up::server();
        reading.preload.folder = None;
        reading.preload.passed_over = vec!["/tmp/locktoll-0: it is mounted noexec".to_owned()];
        let line = refused(Verb::Record, &reading);
        assert!(
            line.contains("noexec") && line.contains("XDG_CACHE_HOME"),
            "{line}"
        );
        assert!(refusal(Verb::RecordPreemption, &reading).is_some());
        let of_tour = refused(Verb::Tour, &reading);
        assert_eq!(of_tour, line.replace("`record`", "`tour`"));
        assert_eq!(refusal(Verb::Attach, &reading), None);
    }
}
