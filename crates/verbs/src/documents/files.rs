//! The made-up results as files, in the form that a page holds. The page's tests open them in a browser.

use super::{comparison, tour};
use crate::diagnosis::made_up::laptop;
use crate::doctor::judged;
use locktoll_made_up::made_up::{benches, claims, kernel, prices, trial, whatif};
use locktoll_results::doctor::DoctorResult;
use locktoll_shown::Shown;

/// A laptop without privileges, independent of the program's version.
fn doctor() -> DoctorResult {
    DoctorResult {
        version: "0.1.0",
        ..judged(&laptop(), None)
    }
}

/// Keeps the document as snapshot `name`, a file under `tests/page/documents/`.
macro_rules! keep {
    ($name:literal, $document:expr) => {{
        let document: serde_json::Value = $document;
        let document = format!("{document}\n").into_bytes();
        insta::with_settings!({ snapshot_path => "../../../locktoll/tests/page/documents", prepend_module_to_snapshot => false }, {
            insta::assert_binary_snapshot!($name, document);
        });
    }};
}

#[test]
fn the_files_are_the_results() {
    keep!("bench.json", benches::threads().page_document().unwrap());
    keep!("holds.json", benches::holds().page_document().unwrap());
    keep!(
        "compare.json",
        comparison::comparison().page_document().unwrap()
    );
    keep!("kernel.json", kernel::kernel().page_document().unwrap());
    keep!(
        "machine.json",
        prices::machine_result().page_document().unwrap()
    );
    keep!(
        "reproduce.json",
        claims::reproduction().page_document().unwrap()
    );
    keep!("doctor.json", doctor().page_document().unwrap());
    keep!("tour.json", tour::tour().page_document().unwrap());
    keep!("try.json", trial::won().page_document().unwrap());
    keep!("try_broken.json", trial::broken().page_document().unwrap());
    keep!("whatif.json", whatif::decoy().page_document().unwrap());
}
