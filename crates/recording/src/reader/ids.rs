//! Finds the record with an id that another record refers to.

use std::collections::HashMap;
use std::vec::Vec;

/// A map from ids to positions in a list. Ids count up from 1 in an intact recording, so most are found by an index. Others are
/// kept separately, so that one absurd id takes no memory.
#[derive(Default)]
pub(super) struct Ids {
    /// Positions by id, `u32::MAX` where there is none.
    dense: Vec<u32>,
    sparse: HashMap<u32, usize>,
}

/// How far an id may be ahead of earlier ones to be found by an index.
const GAP: usize = 16;

impl Ids {
    /// Notes that `id` is at `position`. If an id occurs twice, the later position is found.
    pub fn insert(&mut self, id: u32, position: usize) {
        let index = id as usize;
        let short = u32::try_from(position).ok().filter(|&it| it != u32::MAX);
        match short {
            Some(short) if index < self.dense.len() + GAP && !self.sparse.contains_key(&id) => {
                if index >= self.dense.len() {
                    self.dense.resize(index + 1, u32::MAX);
                }
                self.dense[index] = short;
            }
            _ => {
                self.sparse.insert(id, position);
            }
        }
    }

    /// Returns the position of `id`.
    pub fn find(&self, id: u32) -> Option<usize> {
        match self.dense.get(id as usize) {
            Some(&position) if position != u32::MAX => Some(position as usize),
            _ => self.sparse.get(&id).copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_last_position_of_an_id_is_found(
            ids in proptest::collection::vec(prop_oneof![0_u32..3000, any::<u32>()], 0..60),
        ) {
            let mut index = Ids::default();
            let mut expected = HashMap::new();
            for (position, &id) in ids.iter().enumerate() {
                index.insert(id, position);
                expected.insert(id, position);
            }
            for id in ids {
                prop_assert_eq!(index.find(id), expected.get(&id).copied());
                let next = id.wrapping_add(1);
                prop_assert_eq!(index.find(next), expected.get(&next).copied());
            }
        }
    }
}
