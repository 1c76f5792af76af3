//! What help and hints say of this system.

/// Where runs that go on are kept.
pub const STATE_FOLDER: &str = "$XDG_STATE_HOME/locktoll";

/// For who names a recording that is not there.
pub const MAKES_A_RECORDING: &str = "`locktoll record -- CMD` makes a recording";

/// Examples of `doctor`.
pub const DOCTOR_EXAMPLES: &str = "\
EXAMPLES
  locktoll doctor                               every verb, what is in its way, and what would allow it
  locktoll doctor attach                        only what concerns `attach`; exit code 3 where it cannot work
  locktoll doctor record --preemption
  locktoll doctor --json | jq -r '.verbs[] | \"\\(.verb): \\(.works)\"'
  locktoll doctor --json | jq -r '.findings[] | select(.remedy != null) | .id, .remedy.commands[]'
  locktoll doctor kernel > /dev/null && locktoll kernel -- make";

/// What `doctor` leaves behind.
pub const DOCTOR_LEAVES: &str = "\
Nothing is changed. Loading is tried with a program that does nothing; it is gone when this command ends.
Commands are printed, never run: each says where it helps, in this session, outside of it (whoever starts the
container or the session), or at the next boot.";

/// Examples, as they are typed here: in the quotes that they have.
pub fn typed(examples: &str) -> String {
    examples.to_owned()
}
