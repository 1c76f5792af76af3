//! Verbs that another system has: asked for here, each says in one line what it would need.

use std::ffi::OsString;

use super::words::ABSENT;
use locktoll_terminal::failure::Failure;

/// A verb or a flag of a verb that is not there.
#[derive(Debug)]
pub struct Absent {
    /// As it is typed: the verb, and for a flag of one that is there, the flag.
    pub words: &'static [&'static str],
    /// What it does by what only the other system has.
    pub why: &'static str,
}

/// The failure of a command line that asks for what is not there. `words` begin with the program's name.
pub fn refused(words: &[OsString]) -> Option<Failure> {
    let mut words = words.iter().skip(1).map(|word| word.to_str().unwrap_or(""));
    let first = words.next()?;
    // `locktoll help record` asks for it, too.
    let verb = match first {
        "help" => words.next()?,
        verb => verb,
    };
    let rest: Vec<&str> = words.take_while(|word| *word != "--").collect();
    let asked = |absent: &&Absent| match absent.words {
        [name] => *name == verb,
        [name, flag] => {
            *name == verb && rest.iter().any(|word| word.split('=').next() == Some(flag))
        }
        _ => false,
    };
    let absent = ABSENT.iter().find(asked)?;
    Some(Failure::Unsupported(format!(
        "`{}` needs Linux: {}; here there are bench, machine, reproduce, compare, report and doctor",
        absent.words.join(" "),
        absent.why
    )))
}
