//! The page in a browser: headless Chromium, driven as a person would use it.
//!
//! - `browser`: starts Chromium and speaks its DevTools protocol; `turn`: which test has it; `tab`: one page in it, with clicks, keys and colours.
//! - `pages`: pages to open, from the documents under `documents/`, which unit tests keep equal to what the program makes.
//! - `recorder`: real programs, recorded by the built binary.
//! - one file a schema; `frame`: what all pages have in common; `everywhere`: what must be true of each; `stand_in`: the
//!   label of what is not from the real thing.
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
mod tour;
mod trial;
mod turn;
