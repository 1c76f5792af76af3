//! The charting library, as published: see `vendor/echarts/README.md`.

/// Apache ECharts, minified.
pub const ECHARTS: &str = include_str!("vendor/echarts/echarts.min.js");

/// The notice and the licences of the library and of its parts, which must accompany every copy.
const LICENCES: &[(&str, &str)] = &[
    (
        "Apache ECharts: notice",
        include_str!("vendor/echarts/NOTICE"),
    ),
    (
        "Apache ECharts: licence",
        include_str!("vendor/echarts/LICENSE"),
    ),
    (
        "Parts of d3, in Apache ECharts",
        include_str!("vendor/echarts/licenses/LICENSE-d3"),
    ),
    (
        "ZRender, in Apache ECharts",
        include_str!("vendor/echarts/licenses/LICENSE-zrender"),
    ),
    (
        "A part of Snabbdom, in ZRender",
        include_str!("vendor/echarts/licenses/LICENSE-snabbdom"),
    ),
    (
        "tslib, in Apache ECharts and ZRender",
        include_str!("vendor/echarts/licenses/LICENSE-tslib"),
    ),
];

/// Returns all of them as one text.
pub fn licences() -> String {
    let mut text = String::new();
    for (of, licence) in LICENCES {
        text.push_str(&format!("==== {of} ====\n\n{}\n\n", licence.trim()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    /// As stated in `vendor/echarts/README.md`.
    const SHA256: &str = "b66b25aeb4df84e33199dc21694014d336d222cbd9deb0e5a7c14bd6aa0d0fd0";

    #[test]
    fn the_build_is_the_one_that_was_published() {
        let sum = Sha256::digest(ECHARTS);
        let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(sum, SHA256);
        assert!(include_str!("vendor/echarts/README.md").contains(SHA256));
    }
}
