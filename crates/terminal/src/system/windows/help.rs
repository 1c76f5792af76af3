//! The words of help and hints for this system.

/// Where runs that can be continued are kept.
pub const STATE_FOLDER: &str = r"%LOCALAPPDATA%\locktoll";

/// The file that `record` writes and `report` reads, unless another is named.
pub const RECORDING: &str = "recording.locktoll";

/// How a recording of this name is made, for a user who named one that does not exist.
pub fn makes_a_recording(name: &str) -> String {
    match name {
        RECORDING => "`locktoll record -- CMD`, on Linux".to_owned(),
        name => format!("`locktoll record -o {name} -- CMD`, on Linux"),
    }
}

/// Examples of `doctor`.
pub const DOCTOR_EXAMPLES: &str = "\
EXAMPLES
  locktoll doctor                               all verbs, what limits them, and what would allow more
  locktoll doctor bench                         only `bench`; exit code 3 if it does not work
  locktoll doctor -o doctor.json                everything, for a script";

/// The traces that `doctor` leaves.
pub const DOCTOR_LEAVES: &str = "\
doctor changes nothing. It raises a priority for a moment and restores it. It prints commands and never runs them.";

/// Returns the examples as they are typed here: cmd.exe only knows double quotes, and outside of them `>` names a file to write
/// to.
pub fn typed(examples: &str) -> String {
    examples.replace('\'', "\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_in_double_quotes() {
        assert_eq!(
            typed("--fail-if 'wait_ns>1.2x'"),
            "--fail-if \"wait_ns>1.2x\""
        );
    }
}
