//! Snapshot tests of the text, from made-up figures.

use anstream::adapter::strip_str;

use super::{KernelPage, kernel_interval_text};
use crate::Shown;
use locktoll_made_up::made_up;
use locktoll_results::kernel::{KernelLost, KernelProbe, KernelResult, KernelScope, KernelWaits};

fn plain(text: &str) -> String {
    strip_str(text).to_string()
}

#[test]
fn everything_that_was_gathered() {
    let text = plain(&made_up::kernel().text_within(100));
    assert!(
        text.lines().all(|line| line.chars().count() <= 100),
        "{text}"
    );
    insta::assert_snapshot!(text);
}

#[test]
fn by_kind_alone_with_cycles() {
    let result = KernelResult {
        callers: None,
        locks: None,
        lost: KernelLost::default(),
        ..made_up::kernel()
    };
    let page = KernelPage {
        result: &result,
        top: 15,
        by_cpu: false,
        cycles: true,
    };
    insta::assert_snapshot!(plain(&page.text_within(80)));
}

#[test]
fn what_did_not_fit_is_summed_up() {
    let result = made_up::kernel();
    let page = KernelPage {
        result: &result,
        top: 1,
        by_cpu: true,
        cycles: false,
    };
    let text = plain(&page.text_within(100));
    assert!(text.contains("  2 more: 1,530 waits, "), "{text}");
}

#[test]
fn nobody_waited_and_nothing_is_known_of_the_cost() {
    let result = KernelResult {
        total: KernelWaits::default(),
        kinds: Vec::new(),
        cpus: Vec::new(),
        callers: None,
        locks: None,
        command: None,
        scope: KernelScope::Command,
        probe: KernelProbe {
            why_not: Some("the kernel reports it only to processes with CAP_SYS_ADMIN".to_owned()),
            ..KernelProbe::default()
        },
        lost: KernelLost::default(),
        ..made_up::kernel()
    };
    insta::assert_snapshot!(plain(&result.text_within(100)));
}

#[test]
fn an_estimate_of_more_than_all_is_not_printed() {
    let mut result = made_up::kernel();
    result.probe.share_of_waiting = Some(1.13);
    let text = plain(&result.text_within(100));
    assert!(
        text.contains("locktoll itself caused up to all waiting;"),
        "{text}"
    );
    assert!(!text.contains("113"), "{text}");
}

#[test]
fn an_interval() {
    let mut result = made_up::kernel();
    result.duration_ns = 1_000_000_000;
    insta::assert_snapshot!(plain(&kernel_interval_text(&result, 3, 100)));
}
