//! A program that is watched, and its own reports.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::futexes::{Capacity, Watch, Whom};
use locktoll_terminal::failure::Failure;

const CAPACITY: Capacity = Capacity {
    entries: 4096,
    rules: 1 << 20,
};

/// One of `tests/programs`. It says "ready", waits for a line, works, says "done" last, and ends when its input ends.
pub struct Subject {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    folder: tempfile::TempDir,
}

impl Subject {
    /// Compiles and starts the program, and waits for "ready".
    pub fn start(source: &str, words: &[&str]) -> Self {
        Self::start_with(source, &["-O1", "-g", "-pthread"], words)
    }

    /// Like `start`, with these compiler flags.
    pub fn start_with(source: &str, flags: &[&str], words: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("program");
        let source = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../tests/programs")
            .join(source);
        let compiled = Command::new("cc")
            .args(flags)
            .arg("-o")
            .arg(&program)
            .arg(source)
            .status();
        assert!(compiled.expect("cc").success());
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("a pipe");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        assert_eq!(next(&mut output), "ready");
        Self {
            child,
            input,
            output,
            folder,
        }
    }

    /// Returns the path of its file.
    pub fn program(&self) -> PathBuf {
        self.folder.path().join("program")
    }

    /// Returns its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Watches the program; none, with the reason noted, where the kernel does not let us.
    pub fn watch(&self) -> Option<Watch> {
        self.watch_with(CAPACITY)
    }

    /// Like `watch`, with this much room.
    pub fn watch_with(&self, capacity: Capacity) -> Option<Watch> {
        Self::begun(Watch::begin(Whom::One(self.pid()), capacity))
    }

    /// Like `watch`, as on a kernel that does not have programs that go through all threads.
    pub fn watch_without_a_look(&self) -> Option<Watch> {
        Self::begun(Watch::begin_without_a_look(Whom::One(self.pid()), CAPACITY))
    }

    fn begun(begun: Result<Watch, Failure>) -> Option<Watch> {
        match begun {
            Ok(watch) => Some(watch),
            Err(Failure::Unsupported(why)) => {
                locktoll_needs::refused(&why);
                None
            }
            // The details of the failure differ from test to test.
            Err(Failure::NotTraced(_)) => {
                locktoll_needs::refused("the kernel does not run our programs");
                None
            }
            Err(other) => panic!("{other}"),
        }
    }

    /// Lets the program work, and returns its lines up to "done".
    pub fn work(&mut self) -> Vec<Said> {
        writeln!(self.input).expect("it reads");
        let mut said = Vec::new();
        loop {
            let line = next(&mut self.output);
            if line == "done" {
                return said;
            }
            said.push(Said::parse(&line));
        }
    }
}

impl Drop for Subject {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn next(output: &mut Lines<BufReader<ChildStdout>>) -> String {
    output.next().expect("it says more").expect("text")
}

/// One line: words, of which some are `name=number` and some addresses.
#[derive(Debug)]
pub struct Said {
    words: Vec<String>,
    numbers: HashMap<String, u64>,
}

impl Said {
    fn parse(line: &str) -> Self {
        let (mut words, mut numbers) = (Vec::new(), HashMap::new());
        for word in line.split_whitespace() {
            match word.split_once('=') {
                Some((name, number)) => {
                    numbers.insert(name.to_owned(), number.parse().expect("a number"));
                }
                None => words.push(word.to_owned()),
            }
        }
        Self { words, numbers }
    }

    /// Returns the word at `index`.
    pub fn word(&self, index: usize) -> &str {
        &self.words[index]
    }

    /// Returns the address at `index`.
    pub fn address(&self, index: usize) -> u64 {
        u64::from_str_radix(self.word(index), 16).expect("an address")
    }

    /// Returns the number with this name.
    pub fn number(&self, name: &str) -> u64 {
        self.numbers[name]
    }
}
