//! The page in a browser: headless Chromium, driven as a person would use it.
//!
//! - `browser`: starts Chromium and speaks its DevTools protocol; `turn`: the test that has it; `tab`: one page in it, with
//!   clicks, keys and colours.
//! - `pages`: pages to open, from the documents under `documents/`, which unit tests keep equal to the program's.
//! - `recorder`: real programs, recorded by the built binary.
//! - one file per schema; `frame`: the common parts of all pages; `everywhere`: properties of every page; `stand_in`: the label
//!   of figures from a stand-in.
//!
//! Without Chromium the tests are skipped (`locktoll_needs`).
#![cfg(target_os = "linux")]

mod bench;
mod browser;
mod compare;
mod doctor;
mod everywhere;
mod frame;
mod kernel;
mod large;
mod machine;
mod pages;
mod profile;
mod profile_answer;
mod profile_hostile;
#[expect(
    dead_code,
    reason = "shared with the tests of `record`, which use all of it"
)]
#[path = "../record/bench.rs"]
mod recorder;
mod reproduce;
mod stand_in;
mod tab;
mod timeline;
mod tour;
mod trial;
mod turn;
mod whatif;
