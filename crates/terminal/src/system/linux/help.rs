//! The words of help and hints for this system.

/// Where runs that can be continued are kept.
pub const STATE_FOLDER: &str = "$XDG_STATE_HOME/locktoll";

/// A hint for a user who names a recording that does not exist.
pub const MAKES_A_RECORDING: &str = "`locktoll record -- CMD` writes recording.locktoll";

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
