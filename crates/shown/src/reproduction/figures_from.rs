//! Where the figures of a claim come from, in words.

use locktoll_results::reproduction::{FigureSource, FiguresFrom};

/// Returns the source in a sentence, and why it is not the better one.
pub fn figures_from_words(from: &FiguresFrom) -> String {
    let (done, better) = match from.source {
        FigureSource::Kernel => ("switches were counted by cause in the kernel (eBPF)", ""),
        FigureSource::Proc => (
            "causes of switches were sampled in /proc",
            "They could not be counted in the kernel",
        ),
        FigureSource::Counters => ("cache misses were counted by the processor", ""),
        FigureSource::Time => (
            "cache misses were recognised by the time of each access",
            "They could not be counted by the processor",
        ),
    };
    match &from.refused {
        Some(refused) => format!("{done}. {better}: {}.", refused.trim_end_matches('.')),
        None => format!("{done}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weaker_source_comes_with_the_reason() {
        let words = |source, refused: Option<&str>| {
            figures_from_words(&FiguresFrom {
                source,
                refused: refused.map(str::to_owned),
            })
        };
        assert_eq!(
            words(FigureSource::Kernel, None),
            "switches were counted by cause in the kernel (eBPF)."
        );
        assert_eq!(
            words(FigureSource::Proc, Some("needs CAP_BPF")),
            "causes of switches were sampled in /proc. They could not be counted in the kernel: needs CAP_BPF."
        );
        assert_eq!(
            words(FigureSource::Counters, None),
            "cache misses were counted by the processor."
        );
        assert_eq!(
            words(FigureSource::Time, Some("no such event")),
            "cache misses were recognised by the time of each access. They could not be counted by the processor: no such event."
        );
    }
}
