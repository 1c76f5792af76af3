//! Kernel versions, as far as features depend on them.

use std::fmt;

/// The first two numbers of a kernel's release; new features come only with a change of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KernelVersion(pub u32, pub u32);

impl KernelVersion {
    /// Reads a release such as `6.1.0-18-amd64`.
    pub fn of_release(release: &str) -> Option<Self> {
        let mut numbers = release.split('.').map(|part| {
            let digits = part.split(|c: char| !c.is_ascii_digit()).next();
            digits.and_then(|digits| digits.parse().ok())
        });
        Some(Self(numbers.next()??, numbers.next()??))
    }
}

impl fmt::Display for KernelVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn releases_of_distributions_read() {
        let of = KernelVersion::of_release;
        assert_eq!(of("6.1.0-18-amd64"), Some(KernelVersion(6, 1)));
        assert_eq!(of("4.18.0-553.el8_10.x86_64"), Some(KernelVersion(4, 18)));
        assert_eq!(of("6.10-rc3"), Some(KernelVersion(6, 10)));
        assert!(KernelVersion(5, 8) < KernelVersion(5, 17));
        for wrong in ["", "6", "x.y", "6.", ".1"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_version_or_none(text in "\\PC{0,20}") {
            let _ = KernelVersion::of_release(&text);
        }
    }
}
