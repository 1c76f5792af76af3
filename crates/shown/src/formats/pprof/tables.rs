//! The tables of a profile: each entry is stored once and has a number.

use std::collections::HashMap;

use super::proto::{Function, Line, Location, Mapping};
use locktoll_results::profile::Frame;
use locktoll_terminal::escape::shown_text;

/// Strings by their number; number 0 is the empty string.
#[derive(Debug)]
pub struct Strings {
    numbers: HashMap<String, i64>,
    all: Vec<String>,
}

impl Strings {
    /// Makes a table with only the empty string.
    pub fn new() -> Self {
        Self {
            numbers: HashMap::from([(String::new(), 0)]),
            all: vec![String::new()],
        }
    }

    /// Returns the number of a string.
    pub fn number(&mut self, text: &str) -> i64 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.all.len() as i64;
        self.numbers.insert(text.to_owned(), number);
        self.all.push(text.to_owned());
        number
    }

    /// Returns all strings, by number.
    pub fn into_all(self) -> Vec<String> {
        self.all
    }
}

/// Places in code: locations, which consist of lines of functions, in mappings.
#[derive(Debug, Default)]
pub struct Places {
    locations: HashMap<Vec<Frame>, u64>,
    functions: HashMap<(i64, i64), u64>,
    mappings: HashMap<String, usize>,
    mapped: Vec<Mapped>,
    /// What has been numbered so far, as fields of the profile.
    pub written: Written,
}

/// Messages in the order of their numbers.
#[derive(Debug, Default)]
pub struct Written {
    /// `Profile.location`.
    pub locations: Vec<Location>,
    /// `Profile.function`.
    pub functions: Vec<Function>,
}

/// A mapped file.
#[derive(Debug)]
struct Mapped {
    path: String,
    /// The highest address seen in it.
    last: u64,
    /// Whether all of its frames have this.
    functions: bool,
    files: bool,
    lines: bool,
    inlines: bool,
}

impl Places {
    /// Numbers the program's own file first: readers treat the first mapping as the program.
    pub fn program(&mut self, path: &str) {
        self.file(path);
    }

    /// Returns the numbers of a stack's locations, innermost first.
    pub fn stack(&mut self, strings: &mut Strings, frames: &[Frame]) -> Vec<u64> {
        groups(frames)
            .map(|location| self.location(strings, location))
            .collect()
    }

    /// Returns the number of the location that the frames share: the innermost was inlined into the next.
    fn location(&mut self, strings: &mut Strings, frames: &[Frame]) -> u64 {
        if let Some(&number) = self.locations.get(frames) {
            return number;
        }
        let number = self.locations.len() as u64 + 1;
        self.locations.insert(frames.to_vec(), number);
        let outermost = frames.last().expect("a location has a frame");
        let mapping_id = self.mapping(frames);
        let named = frames.iter().filter(|frame| frame.function.is_some());
        let line = named.map(|frame| Line {
            function_id: self.function(strings, frame),
            line: i64::from(frame.line.unwrap_or(0)),
        });
        let location = Location {
            id: number,
            mapping_id,
            address: outermost.offset.unwrap_or(0),
            line: line.collect(),
        };
        self.written.locations.push(location);
        number
    }

    fn function(&mut self, strings: &mut Strings, frame: &Frame) -> u64 {
        let shown = |text: &Option<String>| text.as_deref().map(shown_text).unwrap_or_default();
        let name = strings.number(&shown(&frame.function));
        let file = strings.number(&shown(&frame.file));
        let next = self.functions.len() as u64 + 1;
        let number = *self.functions.entry((name, file)).or_insert(next);
        if number == next {
            self.written.functions.push(Function {
                id: number,
                name,
                system_name: name,
                filename: file,
            });
        }
        number
    }

    /// Returns the position of a mapped file.
    fn file(&mut self, path: &str) -> usize {
        let next = self.mapped.len();
        let position = *self.mappings.entry(path.to_owned()).or_insert(next);
        if position == next {
            self.mapped.push(Mapped {
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

    /// Returns the number of the file that a location lies in, or 0 if there is none.
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

    /// Returns `Profile.mapping`, with the build ids that are known by path.
    pub fn mappings(&self, strings: &mut Strings, build_ids: &HashMap<&str, &str>) -> Vec<Mapping> {
        let write = |(position, mapped): (usize, &Mapped)| {
            let build_id = build_ids.get(mapped.path.as_str()).copied();
            Mapping {
                id: position as u64 + 1,
                // Addresses are the file's own, so the file seems to be mapped at zero, up to the highest address seen.
                memory_start: 0,
                memory_limit: (mapped.last | 0xfff).saturating_add(1),
                filename: strings.number(&shown_text(&mapped.path)),
                build_id: strings.number(build_id.unwrap_or_default()),
                has_functions: mapped.functions,
                has_filenames: mapped.files,
                has_line_numbers: mapped.lines,
                has_inline_frames: mapped.inlines,
            }
        };
        self.mapped.iter().enumerate().map(write).collect()
    }
}

/// Groups frames with the same address: they were inlined into each other, and are one location.
fn groups(frames: &[Frame]) -> impl Iterator<Item = &[Frame]> {
    frames.chunk_by(|a, b| a.offset.is_some() && (a.offset, &a.module) == (b.offset, &b.module))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(module: &str, offset: Option<u64>) -> Frame {
        Frame {
            module: Some(module.to_owned()),
            offset,
            ..Frame::default()
        }
    }

    #[test]
    fn frames_are_one_location_only_at_the_same_known_offset_of_the_same_file() {
        let frames = [
            frame("a", Some(1)),
            frame("a", Some(1)),
            frame("b", Some(1)),
            frame("b", Some(2)),
            frame("b", None),
            frame("b", None),
        ];
        let sizes: Vec<usize> = groups(&frames).map(<[Frame]>::len).collect();
        assert_eq!(sizes, [2, 1, 1, 1, 1]);
    }
}
