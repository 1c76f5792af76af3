//! A set of row numbers, which a sequence looks up at each of ten million events.

/// A set of numbers, which needs a bit for each number up to the largest one.
#[derive(Default)]
pub struct Seen(Vec<u64>);

impl Seen {
    /// Adds a number. Returns whether it is new.
    pub fn insert(&mut self, number: usize) -> bool {
        let (word, bit) = (number / 64, 1 << (number % 64));
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_new_once() {
        let mut seen = Seen::default();
        for number in [0, 63, 64, 1_000, 1] {
            assert!(seen.insert(number) && !seen.insert(number));
        }
    }
}
