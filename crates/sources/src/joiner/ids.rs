//! Ids that would otherwise be equal.

use std::collections::HashMap;

/// Makes equal ids distinct: the second becomes `...#2`.
#[derive(Default)]
pub struct Ids(HashMap<String, u64>);

impl Ids {
    /// Returns the id itself the first time, then the id with a number.
    pub fn unique(&mut self, id: String) -> String {
        let seen = self.0.entry(id.clone()).or_default();
        *seen += 1;
        match *seen {
            1 => id,
            number => format!("{id}#{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_stay_apart() {
        let mut ids = Ids::default();
        assert_eq!(ids.unique("a".to_owned()), "a");
        assert_eq!(ids.unique("a".to_owned()), "a#2");
        assert_eq!(ids.unique("b".to_owned()), "b");
    }
}
