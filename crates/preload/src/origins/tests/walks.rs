//! Walks whose result is known.

use std::sync::LazyLock;

use locktoll_recording::layout::STACK_FRAMES;
use tempfile::TempDir;

use super::fixture::{Library, Walk, calls_by, recorder};
use crate::recorder::Recorder;
use crate::unwind::Calls;
use crate::unwind::KnownPages;

const USUAL: &[&str] = &["-O2", "-fomit-frame-pointer"];
const UNOPTIMISED: &[&str] = &["-O0"];
const FRAME_POINTERS_ALONE: &[&str] = &[
    "-O2",
    "-fno-omit-frame-pointer",
    "-fno-asynchronous-unwind-tables",
    "-fno-unwind-tables",
];
const NOTHING: &[&str] = &[
    "-O2",
    "-fomit-frame-pointer",
    "-fno-asynchronous-unwind-tables",
    "-fno-unwind-tables",
];

/// Asserts that the noted addresses come first, followed by the frames of this test program.
fn assert_all_found(walk: &Walk) {
    let (noted, found) = (walk.noted(), walk.found());
    assert!(found.starts_with(&noted), "{found:x?} is not {noted:x?}");
    assert!(found.len() > noted.len() + 3, "{found:x?} ends too early");
}

/// Asserts that the noted addresses are found in their order, with others in between.
fn assert_all_among(walk: &Walk) {
    let (noted, found) = (walk.noted(), walk.found());
    let mut rest = found.iter();
    for address in &noted {
        assert!(
            rest.any(|found| found == address),
            "{address:x} of {noted:x?} is missing in {found:x?}"
        );
    }
    assert!(rest.count() > 3, "{found:x?} ends too early");
}

#[test]
fn every_kind_of_frame_is_passed() {
    for flags in [USUAL, UNOPTIMISED, FRAME_POINTERS_ALONE] {
        let library = Library::load(flags);
        for function in ["descend", "descend_variable", "descend_aligned"] {
            // The second walk uses rules that are already known.
            for depth in [0, 1, 5, 5] {
                assert_all_found(&library.walk(function, depth));
            }
        }
    }
}

#[test]
fn large_frames_are_passed() {
    let library = Library::load(USUAL);
    for depth in [0, 3, 3] {
        assert_all_found(&library.walk("descend_large", depth));
    }
}

#[test]
fn deep_recursion_gives_the_innermost_calls() {
    let library = Library::load(USUAL);
    let walk = library.walk("descend", 200);
    let calls = walk.calls.as_ref().unwrap();
    assert!(calls.is_truncated);
    assert_eq!(calls.count, STACK_FRAMES);
    assert_eq!(walk.found(), &walk.noted()[..STACK_FRAMES - 1]);
    assert!(
        !library
            .walk("descend", 3)
            .calls
            .as_ref()
            .unwrap()
            .is_truncated
    );
}

#[test]
fn callbacks_of_the_c_library_are_passed() {
    for flags in [USUAL, UNOPTIMISED] {
        assert_all_among(&Library::load(flags).walk("descend_sorting", 0));
    }
}

#[test]
fn signal_handlers_are_passed_whatever_their_stack() {
    for flags in [USUAL, UNOPTIMISED] {
        let library = Library::load(flags);
        for stack_of_its_own in [0, 1] {
            assert_all_among(&library.walk("descend_signalled", stack_of_its_own));
        }
    }
}

#[test]
fn a_stack_that_is_not_the_threads_is_walked_to_its_end() {
    let walk = Library::load(USUAL).walk("descend_elsewhere", 0);
    let noted = walk.noted();
    // The outermost is the frame of the function that set up the other stack. It made no call.
    assert!(walk.found().starts_with(&noted[..noted.len() - 1]));
}

#[test]
fn code_without_tables_and_frame_pointers_ends_the_walk() {
    let library = Library::load(NOTHING);
    for function in ["descend", "descend_large", "descend_sorting"] {
        let walk = library.walk(function, 3);
        assert!(walk.calls.as_ref().unwrap().addresses[0] != 0);
    }
}

#[test]
fn a_library_in_the_place_of_another_is_walked_by_its_own_tables() {
    // Not shared with the other tests: they would learn about code that has gone.
    static OWN: LazyLock<(&Recorder, TempDir)> = LazyLock::new(recorder);
    fn by_own(site: usize) -> Calls {
        calls_by(OWN.0, site, &KnownPages::none())
    }
    // Both the functions and the tables are at other places than before.
    let elsewhere = &[
        "-O2",
        "-fomit-frame-pointer",
        "-falign-functions=128",
        "-DPADDING=3000",
    ][..];
    let mut files = Vec::new();
    for _ in 0..3 {
        let mut before = Vec::new();
        for flags in [USUAL, elsewhere] {
            let library = Library::load(flags);
            let walk = library.walk_by("descend", 5, by_own);
            // Where both libraries have the same return addresses, nothing shows that a different library is there now.
            let inside = walk.noted()[..5].to_vec();
            if inside.iter().all(|address| !before.contains(address)) {
                assert_all_found(&walk);
            }
            before = inside;
            files.push(library.unload());
        }
    }
}
