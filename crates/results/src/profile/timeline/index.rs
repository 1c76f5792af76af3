//! A reference into a table, or to nothing.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The index of a row in a table, or nothing. It takes four bytes, and is a number or `null` in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Index(#[cfg_attr(feature = "schemas", schemars(with = "Option<u32>"))] u32);

impl Index {
    /// No row.
    pub const NONE: Self = Self(u32::MAX);

    /// Returns the index of row `row`, or none if it is too large.
    #[must_use]
    pub fn new(row: usize) -> Self {
        u32::try_from(row).map_or(Self::NONE, Self)
    }

    /// Returns the row, if there is one.
    #[must_use]
    pub fn get(self) -> Option<usize> {
        (self != Self::NONE).then_some(self.0 as usize)
    }

    /// Whether each of `column` is none or below `rows`.
    pub(super) fn all_below(column: &[Self], rows: usize) -> bool {
        column.iter().all(|it| it.get().is_none_or(|it| it < rows))
    }
}

impl From<Option<usize>> for Index {
    fn from(row: Option<usize>) -> Self {
        row.map_or(Self::NONE, Self::new)
    }
}

impl Serialize for Index {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.get().map(|row| row as u64).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Index {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::<u32>::deserialize(deserializer)?.map_or(Self::NONE, Self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_number_or_null_in_a_document() {
        let all = [Index::new(0), Index::NONE, Index::new(7)];
        let json = serde_json::to_string(&all).unwrap();
        assert_eq!(json, "[0,null,7]");
        assert_eq!(serde_json::from_str::<[Index; 3]>(&json).unwrap(), all);
        assert_eq!(Index::from(None).get(), None);
        assert_eq!(Index::new(usize::MAX), Index::NONE);
    }
}
