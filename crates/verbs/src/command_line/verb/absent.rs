//! Verbs that only another system has: when asked for here, each says in one line what it would need.

use std::ffi::OsString;

use super::words::ABSENT;
use locktoll_terminal::failure::Failure;

/// A verb, or a flag of a verb, that does not exist on this system.
#[derive(Debug)]
pub struct Absent {
    /// The words as typed: the verb, and for a missing flag of an existing verb also the flag.
    pub words: &'static [&'static str],
    /// The reason: what it does, and the part of it that only the other system has.
    pub why: &'static str,
}

/// Returns the failure of a command line that asks for such a verb or flag. `words` begins with the program's name.
pub fn refused(words: &[OsString]) -> Option<Failure> {
    let mut words = words.iter().skip(1).map(|word| word.to_str().unwrap_or(""));
    let first = words.next()?;
    // `locktoll help record` also asks for it.
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
