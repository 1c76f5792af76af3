//! What help and hints say of this system.

/// Where runs that go on are kept.
pub const STATE_FOLDER: &str = r"%LOCALAPPDATA%\locktoll";

/// For who names a recording that is not there.
pub const MAKES_A_RECORDING: &str = "`locktoll record -- CMD` makes a recording, on Linux";

/// Examples of `doctor`.
pub const DOCTOR_EXAMPLES: &str = "\
EXAMPLES
  locktoll doctor                               every verb, what is in its way, and what would allow it
  locktoll doctor bench                         only what concerns `bench`; exit code 3 where it cannot work
  locktoll doctor -o doctor.json                all of it, for a script";

/// What `doctor` leaves behind.
pub const DOCTOR_LEAVES: &str = "\
Nothing is changed. A priority is raised for a moment, and is as before when this command ends.
Commands are printed, never run.";

/// Examples, as they are typed here: cmd.exe knows double quotes alone, and outside of them `>` names a file to write to.
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
