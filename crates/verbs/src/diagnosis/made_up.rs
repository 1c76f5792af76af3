//! Made-up systems.

use locktoll_lab::machine::Machine;

use super::reading::{
    Binary, Btf, Calls, Feature, Kernel, KernelConfig, Lockdown, Preload, Privileges, Processor,
    RealTime, SliceExtension, Tracefs, Trial,
};
use super::{Capabilities, Reading};
use locktoll_made_up::made_up::computer::computer;

/// All capabilities of a kernel that knows 41.
const ALL: Capabilities = Capabilities(0x1ff_ffff_ffff);
/// The capabilities that Docker leaves a container.
const DOCKERS: Capabilities = Capabilities(0xa804_25fb);

/// Bare metal, a recent kernel, root.
pub fn server() -> Reading {
    Reading {
        binary: Binary {
            path: "/usr/local/bin/locktoll".to_owned(),
            nosuid: Some(false),
        },
        privileges: Privileges {
            user_id: Some(0),
            effective: Some(ALL),
            permitted: Some(ALL),
            bounding: Some(ALL),
            last_capability: Some(40),
            no_new_privs: Some(false),
            seccomp_filter: Some(false),
            first_user_namespace: Some(true),
            first_pid_namespace: Some(true),
            confined: Some(false),
        },
        kernel: Kernel {
            config: None,
            btf: Btf::Present(Feature::ALL.into_iter().collect()),
            uprobes: true,
            tracefs: Tracefs::Mounted {
                place: "/sys/kernel/tracing".to_owned(),
                readable: true,
            },
            unprivileged_bpf_disabled: Some(2),
            perf_event_paranoid: Some(2),
            kptr_restrict: Some(0),
            addresses_shown: Some(true),
            ptrace_scope: Some(0),
            lockdown: Lockdown::None,
            security_modules: Some(vec!["lockdown".to_owned(), "apparmor".to_owned()]),
            hidepid: None,
            pressure: true,
        },
        calls: Calls {
            bpf_error: libc::EINVAL,
            counter_error: None,
            membarrier: Some(0x3ff),
            restartable_sequences: true,
            slice_extension: SliceExtension {
                kernel_bytes: 28,
                area_bytes: 32,
                is_offered: false,
            },
            real_time: RealTime::Permitted,
            tracing_error: None,
            subreaper_error: None,
            own_memory_error: None,
            is_wiped_on_fork: Some(true),
        },
        processor: Processor {
            clock_fallback: None,
            clock_sources: vec!["tsc".to_owned(), "hpet".to_owned()],
            steal_share: Some(0.0),
            hyperthreads: Some(true),
        },
        preload: Preload {
            folder: Some("/root/.cache/locktoll".to_owned()),
            glibc: true,
            ..Preload::default()
        },
        machine: Machine {
            kernel: Some("6.12.0-1-amd64".to_owned()),
            ..computer()
        },
        systemd: true,
        trial: Trial::Loaded,
    }
}

/// A user without privileges on a laptop with a strict distribution.
pub fn laptop() -> Reading {
    let mut reading = server();
    reading.binary.path = "/home/ann/bin/locktoll".to_owned();
    reading.privileges.user_id = Some(1000);
    reading.privileges.effective = Some(Capabilities(0));
    reading.privileges.permitted = Some(Capabilities(0));
    reading.kernel.tracefs = Tracefs::Mounted {
        place: "/sys/kernel/tracing".to_owned(),
        readable: false,
    };
    reading.kernel.perf_event_paranoid = Some(4);
    reading.kernel.kptr_restrict = Some(1);
    reading.kernel.addresses_shown = Some(false);
    reading.kernel.ptrace_scope = Some(1);
    reading.calls.bpf_error = libc::EPERM;
    reading.calls.counter_error = Some(libc::EACCES);
    reading.calls.real_time = RealTime::Refused(
        "not permitted: it takes CAP_SYS_NICE, or a limit of real-time priority of 2 or more (ulimit -r)".to_owned(),
    );
    reading.machine.governor = Some("powersave".to_owned());
    reading.machine.cgroup = Some("/user.slice/user-1000.slice/session-2.scope".to_owned());
    reading.preload.folder = Some("/home/ann/.cache/locktoll".to_owned());
    reading.trial = Trial::Refused {
        reason: "BPF_PROG_LOAD: Operation not permitted".to_owned(),
    };
    reading
}

/// Root in a container with Docker's defaults.
pub fn container() -> Reading {
    let mut reading = server();
    reading.binary.path = "/app/locktoll".to_owned();
    reading.privileges.effective = Some(DOCKERS);
    reading.privileges.permitted = Some(DOCKERS);
    reading.privileges.bounding = Some(DOCKERS);
    reading.privileges.seccomp_filter = Some(true);
    reading.privileges.first_pid_namespace = Some(false);
    reading.privileges.confined = Some(true);
    reading.kernel.tracefs = Tracefs::NotMounted;
    reading.kernel.lockdown = Lockdown::Unknown;
    reading.kernel.security_modules = None;
    reading.kernel.kptr_restrict = Some(1);
    reading.kernel.addresses_shown = Some(false);
    reading.calls.bpf_error = libc::EPERM;
    reading.calls.counter_error = Some(libc::EPERM);
    reading.calls.real_time = RealTime::Refused("not permitted: it takes CAP_SYS_NICE".to_owned());
    reading.machine.container = Some("docker".to_owned());
    reading.machine.quota_cpus = Some(1.5);
    reading.systemd = false;
    reading.trial = Trial::Refused {
        reason: "BPF_PROG_LOAD: Operation not permitted".to_owned(),
    };
    reading
}

/// A virtual machine with the kernel of an old distribution, as root.
pub fn old_kernel() -> Reading {
    let mut reading = server();
    reading.privileges.last_capability = Some(37);
    reading.machine.kernel = Some("4.18.0-80.el8.x86_64".to_owned());
    reading.kernel.btf = Btf::Absent;
    reading.kernel.config = Some(KernelConfig::of("CONFIG_BPF_SYSCALL=y\nCONFIG_PSI=y\n"));
    reading.kernel.pressure = false;
    reading.calls.membarrier = Some(0x7f);
    reading.calls.restartable_sequences = false;
    reading.calls.slice_extension = SliceExtension::default();
    reading.calls.counter_error = Some(libc::ENOENT);
    reading.processor.steal_share = Some(0.034);
    reading.processor.clock_fallback =
        Some("the kernel does not trust the time-stamp counter".to_owned());
    reading.processor.clock_sources = vec!["hpet".to_owned(), "acpi_pm".to_owned()];
    reading.machine.clocksource = Some("hpet".to_owned());
    reading.machine.virtual_machine = Some(true);
    reading.machine.governor = None;
    reading.trial = Trial::Refused {
        reason: "the kernel shows no BTF".to_owned(),
    };
    reading
}

/// Root on a machine with Secure Boot and a kernel locked down for confidentiality.
pub fn locked_down() -> Reading {
    let mut reading = server();
    reading.kernel.lockdown = Lockdown::Confidentiality;
    reading.trial = Trial::Refused {
        reason: "BPF_PROG_LOAD: Operation not permitted".to_owned(),
    };
    reading
}

/// A program for Arm that an emulator runs on another processor, as root: much of what Linux has is not passed on.
pub fn emulated() -> Reading {
    let mut reading = server();
    reading.machine.architecture = "aarch64".to_owned();
    reading.machine.stand_in = Some("qemu-aarch64, not an aarch64 machine".to_owned());
    reading.calls = Calls {
        bpf_error: libc::ENOSYS,
        counter_error: Some(libc::ENOSYS),
        restartable_sequences: false,
        slice_extension: SliceExtension::default(),
        tracing_error: Some(libc::ENOSYS),
        subreaper_error: Some(libc::EINVAL),
        own_memory_error: Some(libc::ENOSYS),
        is_wiped_on_fork: Some(false),
        ..reading.calls
    };
    reading.trial = Trial::Refused {
        reason: "map error: Function not implemented".to_owned(),
    };
    reading
}

/// Returns all of them, each with its name.
pub fn all() -> [(&'static str, Reading); 6] {
    [
        ("server", server()),
        ("laptop", laptop()),
        ("container", container()),
        ("old kernel", old_kernel()),
        ("locked down", locked_down()),
        ("emulated", emulated()),
    ]
}
