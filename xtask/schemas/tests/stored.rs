//! The stored schemas are what the types say, and never lost anything.

use xtask_schemas::breaks::breaks;
use xtask_schemas::files::{State, folder, refusal, state};
use xtask_schemas::generated;
use xtask_schemas::history::earlier;

#[test]
fn the_stored_schemas_are_those_of_the_types() {
    for generated in generated::all() {
        match state(&folder(), &generated).unwrap() {
            State::Current => {}
            State::Grown => panic!(
                "docs/schemas/{} is not what the types say: run `cargo xtask schemas`, and commit the file",
                generated.file()
            ),
            State::Broken(lost) => panic!("{}", refusal(&generated, &lost)),
        }
    }
}

/// Whoever edits a stored file together with the type is found here.
#[test]
fn no_version_in_the_history_of_a_number_had_more() {
    for generated in generated::all() {
        for earlier in earlier(&generated).unwrap() {
            let lost = breaks(&earlier.schema, &generated.schema);
            let lost: Vec<String> = lost.iter().map(ToString::to_string).collect();
            let since = format!("(since {})", earlier.commit);
            assert!(lost.is_empty(), "{} {since}", refusal(&generated, &lost));
        }
    }
}
