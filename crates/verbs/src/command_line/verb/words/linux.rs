//! The words on Linux.

use crate::command_line::verb::absent::Absent;

/// The purpose of the program.
pub const ABOUT: &str = "Measures what locks and context switches cost, on this machine and in your program, and what would make them \
    cheaper";

/// The text below the verbs.
pub const AFTER_HELP: &str =
    "EXAMPLES
  locktoll tour                               the first look, under a minute
  locktoll record -- ./server --port 8080     which locks of a program cost time, where, and who holds them
  locktoll attach 1234                        the same for a program that is already running
  locktoll try -- ./simulate --threads 8      does another lock make a program faster?
  locktoll doctor                             which verbs work here

`locktoll VERB -h` shows a verb's flags, `locktoll VERB --help` explains it, and `locktoll man VERB` prints its manual page.

Exit codes: 0 done, 1 the run failed, 2 wrong use, 3 unsupported here.";

/// Examples of `completions`.
pub const COMPLETIONS: &str = "EXAMPLES
  locktoll completions bash > ~/.local/share/bash-completion/completions/locktoll
  locktoll completions zsh > _locktoll        into a folder of $fpath
  locktoll completions fish > ~/.config/fish/completions/locktoll.fish";

/// Examples of `man`.
pub const MAN: &str = "EXAMPLES
  locktoll man | man -l -                     read about the program
  locktoll man record | man -l -              read about a verb
  locktoll man bench > locktoll-bench.1       keep a page";

/// Examples of `licences`.
pub const LICENCES: &str = "EXAMPLES
  locktoll licences                           list the parts and their licences
  locktoll licences inferno                   print the texts of one package
  locktoll licences --texts > NOTICES.txt     print all texts";

/// Verbs and flags that do not exist here: none.
pub const ABSENT: &[Absent] = &[];
