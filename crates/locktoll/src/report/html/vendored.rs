//! The charting library, as published: see `vendor/echarts/README.md`.

/// Apache ECharts, minified.
pub const ECHARTS: &str = include_str!("vendor/echarts/echarts.min.js");

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    /// As in `vendor/echarts/README.md`.
    const SHA256: &str = "b66b25aeb4df84e33199dc21694014d336d222cbd9deb0e5a7c14bd6aa0d0fd0";

    #[test]
    fn the_build_is_the_one_that_was_published() {
        let sum = Sha256::digest(ECHARTS);
        let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(sum, SHA256);
        assert!(include_str!("vendor/echarts/README.md").contains(SHA256));
    }
}
