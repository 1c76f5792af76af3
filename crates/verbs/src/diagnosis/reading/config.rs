//! The configuration of the kernel, if the kernel (`CONFIG_IKCONFIG_PROC`) or its distribution publishes it.

use std::io::Read;

use flate2::read::GzDecoder;

/// Enabled options, as `CONFIG_NAME` without the prefix.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelConfig(Vec<String>);

/// Every configuration is shorter than this.
const MOST_BYTES: u64 = 8 << 20;

impl KernelConfig {
    /// Whether the option is built in.
    pub fn has(&self, option: &str) -> bool {
        self.0.iter().any(|name| name == option)
    }

    /// Reads the running kernel's configuration, if it is available.
    pub(super) fn read(release: Option<&str>) -> Option<Self> {
        let shown = std::fs::File::open("/proc/config.gz")
            .ok()
            .and_then(|file| {
                let mut text = String::new();
                let mut unpacked = GzDecoder::new(file).take(MOST_BYTES);
                unpacked.read_to_string(&mut text).ok()?;
                Some(text)
            });
        let text = shown.or_else(|| {
            let release = release?;
            [
                format!("/boot/config-{release}"),
                format!("/lib/modules/{release}/config"),
            ]
            .iter()
            .find_map(|path| std::fs::read_to_string(path).ok())
        })?;
        Some(Self::of(&text))
    }

    /// Parses a configuration's text.
    pub fn of(text: &str) -> Self {
        let on = text
            .lines()
            .filter_map(|line| line.strip_prefix("CONFIG_")?.strip_suffix("=y"));
        Self(on.map(str::to_owned).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_built_in_counts() {
        let config = KernelConfig::of(
            "# CONFIG_PSI is not set\nCONFIG_BPF=y\nCONFIG_X=m\nCONFIG_HZ=250\nCONFIG_BPF_JIT=y\n",
        );
        assert!(config.has("BPF") && config.has("BPF_JIT"));
        assert!(!config.has("PSI") && !config.has("X") && !config.has("HZ"));
    }
}
