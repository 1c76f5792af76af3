//! The numbers of a publication as points of a picture.

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// Numbers of a publication along an axis, mostly those of one lock. Lines of one claim that have the same name are parts of one
/// line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PublishedLine {
    /// The name that the publication gives it, mostly a lock.
    pub name: String,
    /// The measured series that answers it, by the beginning of its name; `None` if only one is measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<String>,
    /// Unit of the values, as in the measured series: `ns/op`.
    pub unit: String,
    /// The points that the publication gives, and no others.
    pub points: Vec<PublishedPoint>,
}

/// A number of a publication.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PublishedPoint {
    /// Where on the axis: a number, or a word; as in the measured series.
    #[serde(deserialize_with = "number_or_word")]
    pub x: String,
    /// The value.
    pub y: f64,
}

/// Returns the number that a place on an axis means: `8`, `0.5`, `2^7`; `None` for a word.
pub fn number_of(x: &str) -> Option<f64> {
    let number = match x.strip_prefix("2^") {
        Some(power) => f64::from(power.parse::<i16>().ok()?).exp2(),
        None => x.parse::<f64>().ok()?,
    };
    number.is_finite().then_some(number)
}

/// Reads a place: authors write numbers as numbers, and measured points have them as text.
fn number_or_word<'de, D: Deserializer<'de>>(place: D) -> Result<String, D::Error> {
    struct Place;
    impl Visitor<'_> for Place {
        type Value = String;

        fn expecting(&self, words: &mut fmt::Formatter<'_>) -> fmt::Result {
            words.write_str("a number or a word")
        }

        fn visit_str<E: Error>(self, word: &str) -> Result<String, E> {
            Ok(word.to_owned())
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<String, E> {
            Ok(number.to_string())
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<String, E> {
            Ok(number.to_string())
        }

        fn visit_f64<E: Error>(self, number: f64) -> Result<String, E> {
            Ok(number.to_string())
        }
    }
    place.deserialize_any(Place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(json: &str) -> Result<PublishedLine, serde_json::Error> {
        serde_json::from_str(json)
    }

    #[test]
    fn places_are_numbers_or_words() {
        let line = |points: &str| {
            read(&format!(
                "{{\"name\":\"a\",\"unit\":\"ns\",\"points\":{points}}}"
            ))
        };
        let read = line(r#"[{"x":1,"y":2},{"x":0.5,"y":3},{"x":"16","y":4}]"#).unwrap();
        let places: Vec<&str> = read.points.iter().map(|it| it.x.as_str()).collect();
        assert_eq!(places, ["1", "0.5", "16"]);
        for wrong in [
            r#"[{"x":null,"y":2}]"#,
            r#"[{"x":1}]"#,
            r#"[{"x":1,"y":2,"z":3}]"#,
        ] {
            assert!(line(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_place_is_a_number_a_power_or_a_word() {
        assert_eq!(number_of("16"), Some(16.0));
        assert_eq!(number_of("0.5"), Some(0.5));
        assert_eq!(number_of("2^7"), Some(128.0));
        for word in ["before", "2^", "2^x", "2^9999", "inf", "NaN", ""] {
            assert_eq!(number_of(word), None, "{word}");
        }
    }

    proptest! {
        #[test]
        fn a_line_is_read_back_as_it_was_written(
            points in proptest::collection::vec(("[0-9]{1,3}|[a-z ]{1,9}", (0..1_000_000_u32).prop_map(f64::from)), 0..6),
            measured in proptest::option::of("[a-z-]{1,9}"),
        ) {
            let points = points.into_iter().map(|(x, y)| PublishedPoint { x, y }).collect();
            let line = PublishedLine { name: "n".to_owned(), measured, unit: "ns".to_owned(), points };
            prop_assert_eq!(read(&serde_json::to_string(&line).unwrap()).unwrap(), line);
        }
    }
}
