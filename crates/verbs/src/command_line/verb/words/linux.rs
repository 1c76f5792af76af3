//! Linux's.

use crate::command_line::verb::absent::Absent;

/// What the program is for.
pub const ABOUT: &str = "How much locks and context switches cost, on this machine and in your program; why; and what \
    would make them cheaper";

/// What stands below the verbs.
pub const AFTER_HELP: &str =
    "Start with `locktoll tour`. Every verb has examples: `locktoll bench --help`.
Exit codes: 0 done, 1 the run failed, 2 wrong use, 3 unsupported here.";

/// Examples of `completions`.
pub const COMPLETIONS: &str = "EXAMPLES
  locktoll completions bash > ~/.local/share/bash-completion/completions/locktoll
  locktoll completions zsh > _locktoll        into a folder of $fpath
  locktoll completions fish > ~/.config/fish/completions/locktoll.fish";

/// Examples of `man`.
pub const MAN: &str = "EXAMPLES
  locktoll man | man -l -                     read it
  locktoll man > locktoll.1                   keep it";

/// What is not there: nothing.
pub const ABSENT: &[Absent] = &[];
