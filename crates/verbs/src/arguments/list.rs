//! Lists `1,2,4`, ranges `1..8` and doubling ranges `1..64x2`.

use std::str::FromStr;

/// Most values that one list may have.
const MOST: usize = 10_000;

/// The values of a flag that takes several, in the order given.
#[derive(Clone, Debug, PartialEq)]
pub struct List<T>(pub Vec<T>);

/// A list of whole numbers, with ranges.
pub type Numbers = List<u32>;

impl<T> List<T> {
    /// Splits at commas and reads each item.
    pub(super) fn of_items<E: ToString>(
        text: &str,
        read: impl Fn(&str) -> Result<T, E>,
    ) -> Result<Self, String> {
        let mut values = Vec::new();
        for item in text.split(',').map(str::trim) {
            if item.is_empty() {
                return Err(
                    "a value is missing between two commas; accepted: values separated by commas"
                        .into(),
                );
            }
            values.push(read(item).map_err(|error| error.to_string())?);
        }
        Ok(Self(values))
    }
}

impl FromStr for Numbers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::read(text, "a whole number of 0 or more", "")
    }
}

impl Numbers {
    /// Reads a list. The error message for a wrong value says that it is not `one_of_them` and that `least_to_most` are accepted.
    pub fn read(text: &str, one_of_them: &str, least_to_most: &str) -> Result<Self, String> {
        let pieces = List::of_items(text, |item| {
            expand(item, |wrong| {
                format!(
                    "'{wrong}' is not {one_of_them}; accepted: {least_to_most}lists such as 1,2,4, ranges such as 1..8, and \
                     doubling ranges such as 1..64x2"
                )
            })
        })?;
        let values: Vec<u32> = pieces.0.into_iter().flatten().collect();
        if values.len() > MOST {
            return Err(format!("more than {MOST} values in one list"));
        }
        Ok(Self(values))
    }
}

impl FromStr for List<f64> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::of_items(text, |item| {
            item.parse::<f64>()
                .map_err(|_| format!("'{item}' is not a number; accepted: such as 0.95"))
        })
    }
}

impl FromStr for List<String> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::of_items(text, |item| Ok::<_, String>(item.to_owned()))
    }
}

/// Expands one item: a number, `A..B` or `A..BxF`, both ends included.
fn expand(item: &str, refusal: impl Fn(&str) -> String) -> Result<Vec<u32>, String> {
    let number = |text: &str| text.parse::<u32>().map_err(|_| refusal(text));
    let Some((first, rest)) = item.split_once("..") else {
        return number(item).map(|value| vec![value]);
    };
    let (last, factor) = match rest.split_once('x') {
        Some((last, factor)) => (last, Some(number(factor)?)),
        None => (rest, None),
    };
    let (first, last) = (number(first)?, number(last)?);
    if first > last {
        let step = factor.map_or_else(String::new, |factor| format!("x{factor}"));
        return Err(format!(
            "the range {item} is backwards; type {last}..{first}{step}"
        ));
    }
    match factor {
        None => {
            if (last - first) as usize >= MOST {
                return Err(format!("the range {item} has more than {MOST} values"));
            }
            Ok((first..=last).collect())
        }
        Some(factor) if factor < 2 || first == 0 => Err(format!(
            "the range {item} would never end; accepted: a factor of 2 or more, and a start of 1 or more"
        )),
        Some(factor) => Ok(
            std::iter::successors(Some(first), |value| value.checked_mul(factor))
                .take_while(|value| *value <= last)
                .collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn numbers(text: &str) -> Vec<u32> {
        text.parse::<Numbers>().unwrap().0
    }

    #[test]
    fn lists_ranges_and_doubling() {
        assert_eq!(numbers("1,2,4"), [1, 2, 4]);
        assert_eq!(numbers("1..4"), [1, 2, 3, 4]);
        assert_eq!(numbers("1..64x2"), [1, 2, 4, 8, 16, 32, 64]);
        assert_eq!(numbers("1..50x10, 3"), [1, 10, 3]);
    }

    #[test]
    fn what_is_not_a_list_is_refused() {
        for wrong in [
            "",
            ",",
            "1,",
            "a",
            "4..1",
            "0..8x2",
            "1..8x1",
            "-1",
            "1..4000000000",
        ] {
            assert!(wrong.parse::<Numbers>().is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn any_words_give_a_list_or_a_reason(text in "[0-9.,x ]{0,16}|\\PC{0,16}") {
            if let Ok(list) = text.parse::<Numbers>() {
                prop_assert!(!list.0.is_empty() && list.0.len() <= MOST);
            }
        }

        #[test]
        fn ranges_hold_both_ends(first in 0u32..500, more in 0u32..500) {
            let values = numbers(&format!("{first}..{}", first + more));
            prop_assert_eq!(values.len() as u32, more + 1);
            prop_assert_eq!((values[0], *values.last().unwrap()), (first, first + more));
        }
    }
}
