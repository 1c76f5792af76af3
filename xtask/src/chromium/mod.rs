//! The browser of the page's tests, for pictures and measurements.

#[path = "../../../crates/locktoll/tests/page/browser.rs"]
#[expect(
    dead_code,
    reason = "shared with the tests of the page, which use all of it"
)]
pub mod browser;
#[path = "../../../crates/locktoll/tests/page/tab.rs"]
#[expect(
    dead_code,
    reason = "shared with the tests of the page, which use all of it"
)]
pub mod tab;
#[path = "../../../crates/locktoll/tests/page/turn.rs"]
mod turn;
