//! Interpreter lines: the program that the kernel runs because of `#!`.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Number of bytes of a script that the kernel looks at (`BINPRM_BUF_SIZE`).
const LINE_LIMIT: usize = 256;

/// The contents of an interpreter line.
#[derive(Debug, PartialEq, Eq)]
pub struct Interpreter {
    /// The interpreter's path.
    pub path: OsString,
    /// The rest of the line, which the kernel passes on as one argument.
    pub argument: Option<OsString>,
}

/// Returns the interpreter that the beginning of a file names, or `None` for a file without such a line.
pub fn interpreter(head: &[u8]) -> Option<Interpreter> {
    let line = head.strip_prefix(b"#!")?;
    let line = &line[..line.len().min(LINE_LIMIT - 2)];
    let line = line.split(|&byte| byte == b'\n').next()?;
    let line = line.trim_ascii();
    let end = line
        .iter()
        .position(|byte| matches!(byte, b' ' | b'\t'))
        .unwrap_or(line.len());
    let (path, rest) = line.split_at(end);
    if path.is_empty() {
        return None;
    }
    let rest = rest.trim_ascii();
    Some(Interpreter {
        path: OsString::from_vec(path.to_vec()),
        argument: (!rest.is_empty()).then(|| OsString::from_vec(rest.to_vec())),
    })
}

/// Returns the program that `env(1)` will look up on `PATH`, when the interpreter is `env`.
///
/// Without `-S`, the whole rest of the line is one name; with it, env splits the words itself.
pub fn program_of_env(interpreter: &Interpreter) -> Option<OsString> {
    let name = interpreter.path.as_bytes().rsplit(|&b| b == b'/').next()?;
    if name != b"env" {
        return None;
    }
    let argument = interpreter.argument.as_ref()?.as_bytes();
    let split = argument
        .strip_prefix(b"-S")
        .or_else(|| argument.strip_prefix(b"--split-string="));
    let Some(words) = split else {
        return (!argument.starts_with(b"-")).then(|| OsStr::from_bytes(argument).to_owned());
    };
    words
        .split(|byte| byte.is_ascii_whitespace())
        .find(|word| !word.is_empty() && !word.starts_with(b"-") && !word.contains(&b'='))
        .map(|word| OsStr::from_bytes(word).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(head: &str) -> Option<(String, Option<String>)> {
        let text = |part: OsString| part.into_string().unwrap();
        interpreter(head.as_bytes()).map(|found| (text(found.path), found.argument.map(text)))
    }

    #[test]
    fn an_interpreter_line_is_split_as_the_kernel_splits_it() {
        let bare = |path: &str| Some((path.to_owned(), None));
        assert_eq!(parts("#!/bin/sh\necho\n"), bare("/bin/sh"));
        assert_eq!(parts("#! /bin/sh  \n"), bare("/bin/sh"));
        assert_eq!(
            parts("#!/usr/bin/awk -f -x\n"),
            Some(("/usr/bin/awk".to_owned(), Some("-f -x".to_owned())))
        );
        assert_eq!(parts("#!\n"), None);
        assert_eq!(parts("\x7fELF"), None);
        assert_eq!(parts(""), None);
    }

    #[test]
    fn env_names_the_program_that_really_runs() {
        let target = |line: &str| {
            let found = interpreter(line.as_bytes()).unwrap();
            program_of_env(&found).map(|name| name.into_string().unwrap())
        };
        assert_eq!(
            target("#!/usr/bin/env python3\n").as_deref(),
            Some("python3")
        );
        assert_eq!(
            target("#!/usr/bin/env -S A=1 python3 -u\n").as_deref(),
            Some("python3")
        );
        assert_eq!(target("#!/bin/sh\n"), None);
    }
}
