//! The words of help and hints for this system.

/// Where runs that can be continued are kept.
pub const STATE_FOLDER: &str = "$XDG_STATE_HOME/locktoll";

/// The file that `record` writes and `report` reads, unless another is named.
pub const RECORDING: &str = "recording.locktoll";

/// How a recording of this name is made, for a user who named one that does not exist.
pub fn makes_a_recording(name: &str) -> String {
    match name {
        RECORDING => "`locktoll record -- CMD`".to_owned(),
        name => format!("`locktoll record -o {name} -- CMD`"),
    }
}

/// Examples of `doctor`.
pub const DOCTOR_EXAMPLES: &str = "\
EXAMPLES
  locktoll doctor                               all verbs, what limits them, and what would allow more
  locktoll doctor attach                        only `attach`; exit code 3 if it does not work
  locktoll doctor record --preemption
  locktoll doctor --json | jq -r '.verbs[] | \"\\(.verb): \\(.works)\"'
  locktoll doctor --json | jq -r '.findings[] | select(.remedy != null) | .id, .remedy.commands[]'
  locktoll doctor kernel > /dev/null && locktoll kernel -- make";

/// The traces that `doctor` leaves.
pub const DOCTOR_LEAVES: &str = "\
doctor changes nothing. It loads an eBPF program that does nothing, and removes it. It prints commands and never runs them; each says
where it takes effect: in this session, outside of it (where the container or the session is started), or at the next boot.";

/// Returns the examples as they are typed here: with the quotes that they have.
pub fn typed(examples: &str) -> String {
    examples.to_owned()
}
