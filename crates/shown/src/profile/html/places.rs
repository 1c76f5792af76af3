//! Each place in the program once, however many stacks pass through it.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::room::bytes;
use super::runtime::is_runtime;
use crate::profile::words;
use crate::profile::words::cut_right;
use locktoll_results::profile::Frame;

/// The greatest length of one text, in characters: longer ones are of no more use.
const LONGEST: usize = 2_000;

/// The greatest length of a place in words if there is little room, in characters.
const SHORT: usize = 60;

/// Places, in order of appearance.
#[derive(Debug, Default)]
pub struct Places {
    all: Vec<Value>,
    numbers: HashMap<String, usize>,
    /// The number of bytes that each takes in a page.
    bytes: Vec<usize>,
}

/// The number of places at one moment.
#[derive(Debug)]
pub struct Mark(usize);

impl Places {
    /// Replaces each frame in `value` by the number of its place, and cuts texts that are too long.
    pub fn collect(&mut self, value: &mut Value) {
        match value {
            Value::Object(fields) if is_frame(fields) => {
                fields.values_mut().for_each(shorten);
                let number = self.number(fields);
                *value = number.into();
            }
            Value::Object(fields) => fields.values_mut().for_each(|it| self.collect(it)),
            Value::Array(items) => items.iter_mut().for_each(|it| self.collect(it)),
            _ => shorten(value),
        }
    }

    fn number(&mut self, frame: &Map<String, Value>) -> usize {
        let frame = Value::Object(frame.clone());
        let text = frame.to_string();
        let next = self.all.len();
        *self.numbers.entry(text).or_insert_with(|| {
            let place = described(frame);
            self.bytes.push(bytes(&place));
            self.all.push(place);
            next
        })
    }

    /// Marks the present places.
    pub fn mark(&self) -> Mark {
        Mark(self.all.len())
    }

    /// Returns the number of bytes that the places after `mark` take in a page.
    pub fn since(&self, mark: &Mark) -> usize {
        self.bytes[mark.0..].iter().sum()
    }

    /// Forgets the places after a mark, whose numbers must no longer be used.
    pub fn forget(&mut self, after: &Mark) {
        self.all.truncate(after.0);
        self.bytes.truncate(after.0);
        self.numbers.retain(|_, number| *number < after.0);
    }

    /// Returns the places by number.
    pub fn into_list(self) -> Vec<Value> {
        self.all
    }
}

/// Adds a field `short` if the place in words takes more room than a chart has, and `runtime` if it belongs to the language's
/// runtime.
fn described(mut frame: Value) -> Value {
    let place: Option<Frame> = serde_json::from_value(frame.clone()).ok();
    if place.as_ref().is_some_and(is_runtime) {
        frame["runtime"] = true.into();
    }
    let words = place.map(|place| words::frame(&place)).unwrap_or_default();
    let short = words::fit_place(&words, SHORT);
    if short != words {
        frame["short"] = short.into();
    }
    frame
}

/// Whether these are the fields of [`locktoll_results::profile::Frame`].
fn is_frame(fields: &Map<String, Value>) -> bool {
    const FIELDS: [&str; 5] = ["function", "file", "line", "module", "offset"];
    fields.len() == FIELDS.len() && FIELDS.iter().all(|field| fields.contains_key(*field))
}

fn shorten(value: &mut Value) {
    if let Value::String(text) = value
        && text.len() > LONGEST
    {
        *text = cut_right(text, LONGEST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::sample;

    #[test]
    fn a_place_is_there_once_and_every_frame_is_its_number() {
        let lock = &sample::job_server().locks[0];
        let before = serde_json::to_value(lock).unwrap();
        let mut value = before.clone();
        let mut places = Places::default();
        places.collect(&mut value);
        let list = places.into_list();
        let numbers = value["stacks"][0]["frames"].as_array().unwrap();
        for (number, frame) in numbers.iter().zip(&lock.stacks[0].frames) {
            let place = &list[number.as_u64().unwrap() as usize];
            assert_eq!(*place, serde_json::to_value(frame).unwrap());
        }
        let mut unique: Vec<String> = list.iter().map(Value::to_string).collect();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), list.len());
        assert!(value.to_string().len() < before.to_string().len() / 2);
    }

    #[test]
    fn places_that_are_not_needed_leave_no_trace() {
        let stacks = &sample::job_server().locks[0].stacks;
        let mut first = serde_json::to_value(&stacks[0]).unwrap();
        let mut places = Places::default();
        places.collect(&mut first);
        let (mark, before) = (places.mark(), places.all.clone());
        let mut whole = serde_json::to_value(stacks).unwrap();
        let again = whole.clone();
        places.collect(&mut whole);
        assert!(places.since(&mark) > 0 && places.all.len() > before.len());
        places.forget(&mark);
        assert_eq!((places.since(&mark), &places.all), (0, &before));
        let mut second = again;
        places.collect(&mut second);
        assert_eq!(second, whole);
    }

    #[test]
    fn texts_have_an_end() {
        let mut value =
            serde_json::json!({ "name": "x".repeat(100_000), "list": ["y".repeat(3_000)] });
        Places::default().collect(&mut value);
        assert!(value.to_string().len() < 5_000);
    }
}
