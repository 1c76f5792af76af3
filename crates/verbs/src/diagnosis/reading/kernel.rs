//! The kernel and its settings.

use std::io::Read;
use std::path::Path;

use super::small_files::{text, value};
use super::{Btf, KernelConfig, btf};

/// The kernel and its settings.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its build configuration.
    pub config: Option<KernelConfig>,
    /// Its types.
    pub btf: Btf,
    /// Whether programs can be attached to functions of user programs (`CONFIG_UPROBE_EVENTS`).
    pub uprobes: bool,
    /// The file system of tracepoints.
    pub tracefs: Tracefs,
    /// `kernel.unprivileged_bpf_disabled`.
    pub unprivileged_bpf_disabled: Option<u32>,
    /// `kernel.perf_event_paranoid`.
    pub perf_event_paranoid: Option<i32>,
    /// `kernel.kptr_restrict`.
    pub kptr_restrict: Option<u32>,
    /// Whether `/proc/kallsyms` shows addresses to this process.
    pub addresses_shown: Option<bool>,
    /// `kernel.yama.ptrace_scope`; `None` where the module is not there.
    pub ptrace_scope: Option<u32>,
    /// The mode of kernel lockdown.
    pub lockdown: Lockdown,
    /// Security modules in force; `None` where they are not shown.
    pub security_modules: Option<Vec<String>>,
    /// The option `hidepid` of `/proc`, if other users' processes are hidden.
    pub hidepid: Option<String>,
    /// Whether threads that wait for a CPU are accounted for (`/proc/pressure/cpu`).
    pub pressure: bool,
}

/// How much the kernel withholds even from root (kernel_lockdown(7)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lockdown {
    /// The kernel does not have it, or it is off.
    None,
    /// Nobody may change the kernel.
    Integrity,
    /// Nobody may read it, either.
    Confidentiality,
    /// It is not shown.
    Unknown,
}

/// The file system of tracepoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tracefs {
    /// Mounted here, whether or not this process may look into it.
    Mounted {
        /// Where.
        place: String,
        /// Whether this process may look into it.
        readable: bool,
    },
    /// Not mounted.
    NotMounted,
}

impl Kernel {
    /// Reads everything; `release` is the output of `uname -r`.
    pub(super) fn read(release: Option<&str>) -> Self {
        let config = KernelConfig::read(release);
        let mounts = text("/proc/self/mounts").unwrap_or_default();
        Self {
            btf: btf::read(),
            uprobes: Path::new("/sys/bus/event_source/devices/uprobe/type").exists(),
            tracefs: tracefs(&mounts),
            unprivileged_bpf_disabled: value("/proc/sys/kernel/unprivileged_bpf_disabled"),
            perf_event_paranoid: value("/proc/sys/kernel/perf_event_paranoid"),
            kptr_restrict: value("/proc/sys/kernel/kptr_restrict"),
            addresses_shown: addresses_shown(),
            ptrace_scope: value("/proc/sys/kernel/yama/ptrace_scope"),
            lockdown: lockdown(
                text("/sys/kernel/security/lockdown").as_deref(),
                config.as_ref(),
            ),
            security_modules: text("/sys/kernel/security/lsm")
                .map(|list| list.split(',').map(str::to_owned).collect()),
            hidepid: hidepid(&mounts),
            pressure: text("/proc/pressure/cpu").is_some(),
            config,
        }
    }
}

/// Returns the mode in brackets of `none [integrity] confidentiality`; without the file, the mode that the configuration implies.
fn lockdown(shown: Option<&str>, config: Option<&KernelConfig>) -> Lockdown {
    let chosen = shown.and_then(|text| Some(text.split_once('[')?.1.split_once(']')?.0));
    match (chosen, config) {
        (Some("none"), _) => Lockdown::None,
        (Some("integrity"), _) => Lockdown::Integrity,
        (Some("confidentiality"), _) => Lockdown::Confidentiality,
        (_, Some(config)) if !config.has("SECURITY_LOCKDOWN_LSM") => Lockdown::None,
        _ => Lockdown::Unknown,
    }
}

fn tracefs(mounts: &str) -> Tracefs {
    let place = mounts.lines().find_map(|line| {
        let mut fields = line.split(' ').skip(1);
        let (place, kind) = (fields.next()?, fields.next()?);
        (kind == "tracefs").then(|| place.to_owned())
    });
    match place {
        Some(place) => Tracefs::Mounted {
            readable: std::fs::read_dir(format!("{place}/events")).is_ok(),
            place,
        },
        None => Tracefs::NotMounted,
    }
}

/// Returns the mode if it hides something: 1 contents, 2 everything, 4 processes that may not be traced; words since Linux 5.8.
fn hidepid(mounts: &str) -> Option<String> {
    let options = mounts.lines().find_map(|line| {
        let mut fields = line.split(' ').skip(1);
        let (place, kind, options) = (fields.next()?, fields.next()?, fields.next()?);
        (place == "/proc" && kind == "proc").then_some(options)
    })?;
    let mode = options
        .split(',')
        .find_map(|option| option.strip_prefix("hidepid="))?;
    (!matches!(mode, "0" | "off")).then(|| mode.to_owned())
}

/// Looks for an address in `/proc/kallsyms`. If addresses are hidden, all are zero. If not, the first that is not zero comes
/// soon, after those of per-CPU data.
fn addresses_shown() -> Option<bool> {
    const SEARCHED_BYTES: u64 = 1 << 20;
    let mut head = Vec::new();
    let file = std::fs::File::open("/proc/kallsyms").ok()?;
    file.take(SEARCHED_BYTES).read_to_end(&mut head).ok()?;
    some_address(&head)
}

fn some_address(kallsyms: &[u8]) -> Option<bool> {
    let mut lines = kallsyms.split(|byte| *byte == b'\n').peekable();
    lines.peek().filter(|line| !line.is_empty())?;
    Some(lines.any(|line| {
        let address = line.split(|byte| *byte == b' ').next().unwrap_or_default();
        address.iter().any(|digit| *digit != b'0')
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mode_in_brackets_is_in_force() {
        let with = |text| lockdown(Some(text), None);
        assert_eq!(with("[none] integrity confidentiality"), Lockdown::None);
        assert_eq!(
            with("none [integrity] confidentiality"),
            Lockdown::Integrity
        );
        assert_eq!(
            with("none integrity [confidentiality]"),
            Lockdown::Confidentiality
        );
        assert_eq!(with("none"), Lockdown::Unknown);
    }

    #[test]
    fn where_it_is_not_shown_the_configuration_may_tell() {
        let config = |text| KernelConfig::of(text);
        let with = config("CONFIG_SECURITY_LOCKDOWN_LSM=y\n");
        assert_eq!(lockdown(None, Some(&with)), Lockdown::Unknown);
        assert_eq!(lockdown(None, Some(&config(""))), Lockdown::None);
        assert_eq!(lockdown(None, None), Lockdown::Unknown);
    }

    #[test]
    fn mounts_tell_of_tracefs_and_hidden_processes() {
        let mounts = "proc /proc proc rw,nosuid,hidepid=invisible 0 0\nsysfs /sys sysfs rw 0 0\n";
        assert_eq!(hidepid(mounts).as_deref(), Some("invisible"));
        assert_eq!(tracefs(mounts), Tracefs::NotMounted);
        assert_eq!(hidepid("proc /proc proc rw,hidepid=0 0 0"), None);
        assert_eq!(hidepid("proc /x/proc proc rw,hidepid=2 0 0"), None);
        assert_eq!(
            tracefs("none /nowhere/tracing tracefs rw 0 0"),
            Tracefs::Mounted {
                place: "/nowhere/tracing".to_owned(),
                readable: false
            }
        );
    }

    #[test]
    fn hidden_addresses_are_zero() {
        let hidden = b"0000000000000000 T _text\n0000000000000000 t x\n";
        let shown = b"0000000000000000 A fixed_percpu_data\nffffffff81000000 T _text\n";
        assert_eq!(some_address(hidden), Some(false));
        assert_eq!(some_address(shown), Some(true));
        assert_eq!(some_address(b""), None);
    }
}
