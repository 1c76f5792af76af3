//! A first check of a document: the schema that it claims, and whether its figures are possible.

use std::fmt;

use locktoll_terminal::escape::shown_text;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// More than any of our figures: in nanoseconds it is three years, and no count comes near it. Sums of such figures do not
/// overflow.
const MOST: f64 = 1e17;

/// Fields with places in memory or in a file, where any number is possible.
const PLACES: [&str; 2] = ["address", "offset"];

/// The result of a first check.
#[derive(Debug, Default, PartialEq)]
pub struct Scan {
    /// The text in the field `schema` of the document.
    pub schema: Option<String>,
    /// A field with an impossible number.
    pub impossible: Option<String>,
    /// Whether a text or a field's name contains something that a terminal obeys, or that reorders or hides text.
    pub steers: bool,
}

impl<'de> Deserialize<'de> for Scan {
    fn deserialize<D: Deserializer<'de>>(document: D) -> Result<Self, D::Error> {
        let mut scan = Self::default();
        Field {
            scan: &mut scan,
            name: "",
            depth: 0,
        }
        .deserialize(document)?;
        Ok(scan)
    }
}

/// One value, and the name of the field that contains it.
struct Field<'s> {
    scan: &'s mut Scan,
    name: &'s str,
    depth: u32,
}

impl Field<'_> {
    fn number(&mut self, number: f64) {
        if (number.abs() > MOST || number.is_nan()) && !PLACES.contains(&self.name) {
            self.scan.impossible.get_or_insert(self.name.to_owned());
        }
    }
}

impl<'de> DeserializeSeed<'de> for Field<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Field<'_> {
    type Value = ();

    fn expecting(&self, words: &mut fmt::Formatter<'_>) -> fmt::Result {
        words.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            self.scan.steers |= steers(&name);
            map.next_value_seed(Field {
                scan: self.scan,
                name: &name,
                depth: self.depth + 1,
            })?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list
            .next_element_seed(Field {
                scan: self.scan,
                name: self.name,
                depth: self.depth + 1,
            })?
            .is_some()
        {}
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.scan.steers |= steers(text);
        if self.depth == 1 && self.name == "schema" {
            self.scan.schema = Some(text.to_owned());
        }
        Ok(())
    }

    fn visit_u64<E: Error>(mut self, number: u64) -> Result<(), E> {
        self.number(number as f64);
        Ok(())
    }

    fn visit_i64<E: Error>(mut self, number: i64) -> Result<(), E> {
        self.number(number as f64);
        Ok(())
    }

    fn visit_f64<E: Error>(mut self, number: f64) -> Result<(), E> {
        self.number(number);
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }
}

fn steers(text: &str) -> bool {
    !text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && shown_text(text) != text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(text: &str) -> Scan {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn the_schema_is_the_document_s_own() {
        let text = r#"{"x": {"schema": "inner"}, "schema": "outer", "y": [{"schema": "inner"}]}"#;
        assert_eq!(scan(text).schema.as_deref(), Some("outer"));
        assert_eq!(scan(r#"{"schema": 1}"#).schema, None);
        assert_eq!(scan("[]"), Scan::default());
    }

    #[test]
    fn figures_that_cannot_be_are_named_and_places_are_not() {
        let found = |text| scan(text).impossible;
        assert_eq!(
            found(r#"{"a": [{"total": 18446744073709551615}]}"#).as_deref(),
            Some("total")
        );
        assert_eq!(found(r#"{"low": -1e300}"#).as_deref(), Some("low"));
        assert_eq!(found(r#"{"address": 18446744073709551615}"#), None);
        assert_eq!(found(r#"{"total": 31536000000000000, "n": null}"#), None);
    }
}
