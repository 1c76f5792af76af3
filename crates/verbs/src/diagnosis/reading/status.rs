//! The fields of `/proc/self/status` that describe a process's privileges (proc_pid_status(5)).

use super::Privileges;
use crate::diagnosis::Capabilities;

/// Reads the fields that matter; the namespaces and the last capability are not in this file.
pub fn privileges(status: &str) -> Privileges {
    let field = |name: &str| {
        status.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key == name).then(|| value.trim())
        })
    };
    let set = |name| u64::from_str_radix(field(name)?, 16).ok().map(Capabilities);
    Privileges {
        // Real, effective, saved, file system.
        user_id: field("Uid").and_then(|ids| ids.split_whitespace().nth(1)?.parse().ok()),
        effective: set("CapEff"),
        permitted: set("CapPrm"),
        bounding: set("CapBnd"),
        no_new_privs: field("NoNewPrivs").map(|value| value != "0"),
        // 0 none, 1 strict, 2 a filter.
        seccomp_filter: field("Seccomp").map(|value| value != "0"),
        ..Privileges::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::Capability;
    use proptest::prelude::*;

    #[test]
    fn a_process_of_a_container_reads() {
        let status = "Name:\tcat\nUid:\t1000\t0\t0\t0\nCapInh:\t0000000000000000\nCapPrm:\t00000000a80425fb\n\
                      CapEff:\t00000000a80425fb\nCapBnd:\t00000000a80425fb\nNoNewPrivs:\t1\nSeccomp:\t2\nSeccomp_filters:\t1\n";
        let privileges = privileges(status);
        assert_eq!(privileges.user_id, Some(0));
        assert_eq!(privileges.effective, Some(Capabilities(0xa804_25fb)));
        assert_eq!(privileges.bounding, privileges.permitted);
        assert!(!privileges.bounding.unwrap().permits(Capability::Bpf));
        assert_eq!(
            (privileges.no_new_privs, privileges.seccomp_filter),
            (Some(true), Some(true))
        );
    }

    #[test]
    fn what_a_kernel_does_not_tell_is_unknown() {
        let old = privileges("Uid:\t0\t0\t0\t0\nCapEff:\tnonsense\n");
        assert_eq!((old.effective, old.no_new_privs), (None, None));
    }

    proptest! {
        #[test]
        fn any_text_reads(text in "\\PC{0,60}\n?\\PC{0,60}") {
            let _ = privileges(&text);
        }
    }
}
