//! Runs the loom models from the ordinary test command.
#![cfg(all(not(locktoll_loom), target_os = "linux"))]

#[test]
fn all_models_hold_and_find_the_planted_faults() {
    locktoll_lock_checks::nested::models(env!("CARGO_MANIFEST_DIR"), env!("CARGO_TARGET_TMPDIR"));
}
