//! Files and functions that are longer than they may be.

use std::fmt;

use crate::function::Function;
use crate::lengths::Counted;

/// The longest file and the longest function that need no reason, in lines.
#[derive(Clone, Copy)]
pub struct Limit {
    pub file: usize,
    pub function: usize,
}

/// A file that is too long, or a function in it.
#[derive(Clone, Debug, PartialEq)]
pub struct TooLong {
    /// Relative to the workspace.
    pub file: String,
    pub lines: usize,
    /// The function's name and its line; none for the file itself.
    pub function: Option<(String, usize)>,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooLong {
            file,
            lines,
            function,
        } = self;
        match function {
            Some((name, line)) => write!(f, "{file}:{line}: {name} has {lines} lines"),
            None => write!(f, "{file}: {lines} lines"),
        }
    }
}

/// What is longer, the longest first. A function may say why it is longer, with a comment at its head that begins with
/// "Long:"; a file may not.
pub fn too_long(files: &[Counted], limit: Limit) -> Vec<TooLong> {
    let mut found = Vec::new();
    for counted in files {
        if counted.lines > limit.file {
            found.push(TooLong {
                file: counted.file.clone(),
                lines: counted.lines,
                function: None,
            });
        }
        let without_reason = |it: &&Function| it.lines > limit.function && !it.reason;
        let functions = counted.functions.iter().filter(without_reason);
        found.extend(functions.map(|function| TooLong {
            file: counted.file.clone(),
            lines: function.lines,
            function: Some((function.name.clone(), function.line)),
        }));
    }
    found.sort_by_key(|it| std::cmp::Reverse(it.lines));
    found
}
