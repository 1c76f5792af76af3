//! The tables of a profile: everything is there once and goes by a number.

use std::collections::HashMap;

use super::wire::Message;
use crate::profile::{Frame, shown_text};

/// Strings by their number; number 0 is the empty string.
#[derive(Debug)]
pub struct Strings {
    numbers: HashMap<String, u64>,
    all: Vec<String>,
}

impl Strings {
    /// The empty string alone.
    pub fn new() -> Self {
        Self {
            numbers: HashMap::from([(String::new(), 0)]),
            all: vec![String::new()],
        }
    }

    /// The number of a string.
    pub fn number(&mut self, text: &str) -> u64 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.all.len() as u64;
        self.numbers.insert(text.to_owned(), number);
        self.all.push(text.to_owned());
        number
    }

    /// All of them, by number.
    pub fn all(&self) -> &[String] {
        &self.all
    }
}

/// Places in code: locations of the lines of functions in mappings.
#[derive(Debug, Default)]
pub struct Places {
    locations: HashMap<Vec<Frame>, u64>,
    functions: HashMap<(u64, u64), u64>,
    mappings: HashMap<String, usize>,
    mapped: Vec<Mapping>,
    /// What has been numbered so far, as fields of the profile: locations and functions.
    pub written: Written,
}

/// Messages in the order of their numbers.
#[derive(Debug, Default)]
pub struct Written {
    /// `Profile.location`.
    pub locations: Vec<Message>,
    /// `Profile.function`.
    pub functions: Vec<Message>,
}

/// A mapped file.
#[derive(Debug)]
struct Mapping {
    path: String,
    /// The highest address seen in it.
    last: u64,
    /// Whether all of its frames have the thing.
    functions: bool,
    files: bool,
    lines: bool,
    inlines: bool,
}

impl Places {
    /// Numbers the program's own file first: readers take the first mapping for the program.
    pub fn program(&mut self, path: &str) {
        self.file(path);
    }

    /// The numbers of the locations of a stack, innermost first.
    pub fn stack(&mut self, strings: &mut Strings, frames: &[Frame]) -> Vec<u64> {
        groups(frames)
            .map(|location| self.location(strings, location))
            .collect()
    }

    /// The number of the location that frames share: the innermost was inlined into the next.
    fn location(&mut self, strings: &mut Strings, frames: &[Frame]) -> u64 {
        if let Some(&number) = self.locations.get(frames) {
            return number;
        }
        let number = self.locations.len() as u64 + 1;
        self.locations.insert(frames.to_vec(), number);
        let outermost = frames.last().expect("a location has a frame");
        let mut message = Message::new();
        message.number(1, number);
        message.number(2, self.mapping(frames));
        message.number(3, outermost.offset.unwrap_or(0));
        for frame in frames.iter().filter(|frame| frame.function.is_some()) {
            let mut line = Message::new();
            line.number(1, self.function(strings, frame));
            line.number(2, u64::from(frame.line.unwrap_or(0)));
            message.message(4, &line);
        }
        self.written.locations.push(message);
        number
    }

    fn function(&mut self, strings: &mut Strings, frame: &Frame) -> u64 {
        let shown = |text: &Option<String>| text.as_deref().map(shown_text).unwrap_or_default();
        let name = strings.number(&shown(&frame.function));
        let file = strings.number(&shown(&frame.file));
        let next = self.functions.len() as u64 + 1;
        let number = *self.functions.entry((name, file)).or_insert(next);
        if number == next {
            let mut message = Message::new();
            message.number(1, number);
            message.number(2, name);
            message.number(3, name);
            message.number(4, file);
            self.written.functions.push(message);
        }
        number
    }

    /// The position of a mapped file.
    fn file(&mut self, path: &str) -> usize {
        let next = self.mapped.len();
        let position = *self.mappings.entry(path.to_owned()).or_insert(next);
        if position == next {
            self.mapped.push(Mapping {
                path: path.to_owned(),
                last: 0,
                functions: true,
                files: true,
                lines: true,
                inlines: false,
            });
        }
        position
    }

    /// The number of the file that a location lies in; 0 if in none.
    fn mapping(&mut self, frames: &[Frame]) -> u64 {
        let Some(path) = frames.iter().find_map(|frame| frame.module.as_ref()) else {
            return 0;
        };
        let position = self.file(path);
        let mapping = &mut self.mapped[position];
        for frame in frames {
            mapping.last = mapping.last.max(frame.offset.unwrap_or(0));
            mapping.functions &= frame.function.is_some();
            mapping.files &= frame.file.is_some();
            mapping.lines &= frame.line.is_some();
        }
        mapping.inlines |= frames.len() > 1;
        position as u64 + 1
    }

    /// `Profile.mapping`, with the build ids that are known by path.
    pub fn mappings(&self, strings: &mut Strings, build_ids: &HashMap<&str, &str>) -> Vec<Message> {
        let write = |(position, mapping): (usize, &Mapping)| {
            let build_id = build_ids.get(mapping.path.as_str()).copied();
            let mut message = Message::new();
            message.number(1, position as u64 + 1);
            // Addresses are the file's own, so that it seems mapped at zero, as far as addresses were seen.
            message.number(3, (mapping.last | 0xfff).saturating_add(1));
            message.number(5, strings.number(&shown_text(&mapping.path)));
            message.number(6, strings.number(build_id.unwrap_or_default()));
            message.number(7, u64::from(mapping.functions));
            message.number(8, u64::from(mapping.files));
            message.number(9, u64::from(mapping.lines));
            message.number(10, u64::from(mapping.inlines));
            message
        };
        self.mapped.iter().enumerate().map(write).collect()
    }
}

/// Frames that stand at one address were inlined into each other: they are one location.
fn groups(frames: &[Frame]) -> impl Iterator<Item = &[Frame]> {
    frames.chunk_by(|a, b| a.offset.is_some() && (a.offset, &a.module) == (b.offset, &b.module))
}
