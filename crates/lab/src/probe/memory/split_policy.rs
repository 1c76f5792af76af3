//! The kernel's treatment of a program whose atomic lies across two cache lines.
//!
//! Source: Documentation/arch/x86/buslock.rst in Linux. Processors that can trap such atomics show `split_lock_detect` (the
//! instruction faults) or `bus_lock_detect` (a trap after it) in /proc/cpuinfo; the kernel's parameter is `split_lock_detect=`.

use crate::platform::linux::Tree;

/// What the kernel does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    /// Nothing: the processor cannot trap it, or the kernel was configured to leave it alone.
    NotTrapped,
    /// It writes a line to its log, and with `stalls` makes the program sleep 10 ms.
    Warns { stalls: bool },
    /// It sends SIGBUS.
    Fatal,
    /// It lets this many pass per second and makes the others sleep 20 ms.
    RateLimited { per_second: u32 },
}

impl Policy {
    pub(super) fn read(tree: &Tree) -> Policy {
        let can_trap = tree.text("/proc/cpuinfo").is_some_and(|text| {
            let flags = text.lines().find(|line| line.starts_with("flags"));
            flags.is_some_and(|line| {
                line.split_ascii_whitespace()
                    .any(|flag| matches!(flag, "split_lock_detect" | "bus_lock_detect"))
            })
        });
        if !can_trap {
            return Policy::NotTrapped;
        }
        let command_line = tree.text("/proc/cmdline").unwrap_or_default();
        let wanted = command_line
            .split_ascii_whitespace()
            .filter_map(|word| word.strip_prefix("split_lock_detect="))
            .next_back();
        let per_second = |word: &str| word.strip_prefix("ratelimit:")?.parse().ok();
        match wanted {
            Some("off") => Policy::NotTrapped,
            Some("fatal") => Policy::Fatal,
            Some(word) if per_second(word).is_some() => Policy::RateLimited {
                per_second: per_second(word).unwrap_or_default(),
            },
            // The kernel's default, and its fallback.
            _ => Policy::Warns {
                // Kernels before 6.2 have no such file; 5.19 to 6.1 always stall, older ones never do.
                stalls: tree.text("/proc/sys/kernel/split_lock_mitigate").as_deref() != Some("0"),
            },
        }
    }

    /// Returns what the reader of a figure should know.
    pub(super) fn note(&self) -> String {
        match self {
            Policy::NotTrapped => "the kernel does not trap it here".into(),
            Policy::Warns { stalls: false } => "the kernel traps and logs it (split_lock_detect=warn)".into(),
            Policy::Warns { stalls: true } => "the kernel traps it and makes the program sleep 10 ms now and then \
                 (split_lock_detect=warn, kernel.split_lock_mitigate=1): the median is of the others"
                .into(),
            Policy::Fatal => "the kernel sends SIGBUS (split_lock_detect=fatal)".into(),
            Policy::RateLimited { per_second } => format!(
                "the kernel lets {per_second} a second pass and makes others sleep 20 ms (split_lock_detect=ratelimit)"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::linux::fake;

    fn policy(flags: &str, command_line: &str, mitigate: Option<&str>) -> Policy {
        let cpuinfo = format!("processor : 0\nflags\t\t: fpu {flags} sse2\n");
        let mut files = vec![
            ("/proc/cpuinfo", cpuinfo.as_str()),
            ("/proc/cmdline", command_line),
        ];
        files.extend(mitigate.map(|text| ("/proc/sys/kernel/split_lock_mitigate", text)));
        let (_folder, tree) = fake::tree(&files);
        Policy::read(&tree)
    }

    #[test]
    fn without_the_flag_nothing_is_trapped() {
        assert_eq!(
            policy("ht", "quiet split_lock_detect=fatal", Some("1")),
            Policy::NotTrapped
        );
    }

    #[test]
    fn the_parameter_decides() {
        let with = |parameter| policy("split_lock_detect", parameter, Some("1"));
        assert_eq!(with("quiet"), Policy::Warns { stalls: true });
        assert_eq!(with("split_lock_detect=off quiet"), Policy::NotTrapped);
        assert_eq!(with("split_lock_detect=fatal"), Policy::Fatal);
        assert_eq!(
            with("split_lock_detect=ratelimit:5"),
            Policy::RateLimited { per_second: 5 }
        );
        // The kernel takes the last one.
        assert_eq!(
            with("split_lock_detect=fatal split_lock_detect=off"),
            Policy::NotTrapped
        );
    }

    #[test]
    fn the_switch_decides_about_stalls() {
        assert_eq!(
            policy("bus_lock_detect", "quiet", Some("0")),
            Policy::Warns { stalls: false }
        );
        assert_eq!(
            policy("bus_lock_detect", "quiet", None),
            Policy::Warns { stalls: true }
        );
    }
}
