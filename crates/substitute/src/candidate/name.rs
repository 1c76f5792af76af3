//! Candidates' names: `ALGORITHM`, or `ALGORITHM:NUMBER`.

use core::fmt;

use super::description::Description;
use super::list::{ALL, Algorithm};

/// An algorithm with its parameter (0 where it takes none).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Its parameter.
    pub parameter: u32,
}

impl Candidate {
    /// What is known of its algorithm.
    pub fn description(&self) -> Option<&'static Description> {
        ALL.iter().find(|it| it.algorithm == self.algorithm)
    }
}

/// The name that [`parse`] reads: with the number, wherever the algorithm takes one.
impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(description) = self.description() else {
            return write!(f, "{:?}", self.algorithm);
        };
        f.write_str(description.name)?;
        match description.parameter {
            Some(_) => write!(f, ":{}", self.parameter),
            None => Ok(()),
        }
    }
}

/// Why a name is not a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// No algorithm has this name.
    Name,
    /// The algorithm takes no number.
    TakesNoParameter(&'static str),
    /// The number is not one, or too small or too great.
    Parameter {
        /// The algorithm's name.
        name: &'static str,
        /// The least that is accepted.
        least: u32,
        /// The most that is accepted.
        most: u32,
    },
}

/// The candidate of a name.
///
/// # Errors
/// [`Unknown`], with what would have been accepted.
pub fn parse(text: &[u8]) -> Result<Candidate, Unknown> {
    let colon = text.iter().position(|byte| *byte == b':');
    let name = &text[..colon.unwrap_or(text.len())];
    let description = ALL
        .iter()
        .find(|it| it.name.as_bytes() == name)
        .ok_or(Unknown::Name)?;
    let parameter = match (description.parameter, colon) {
        (None, None) => 0,
        (None, Some(_)) => return Err(Unknown::TakesNoParameter(description.name)),
        (Some(parameter), None) => parameter.default,
        (Some(parameter), Some(colon)) => number(&text[colon + 1..])
            .filter(|it| (parameter.least..=parameter.most).contains(it))
            .ok_or(Unknown::Parameter {
                name: description.name,
                least: parameter.least,
                most: parameter.most,
            })?,
    };
    Ok(Candidate {
        algorithm: description.algorithm,
        parameter,
    })
}

/// Decimal digits and nothing else.
fn number(digits: &[u8]) -> Option<u32> {
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    core::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_name_is_a_candidate_and_is_written_as_it_is_read() {
        for description in ALL {
            let candidate = parse(description.name.as_bytes()).unwrap();
            assert_eq!(candidate.algorithm, description.algorithm);
            assert_eq!(parse(candidate.to_string().as_bytes()), Ok(candidate));
            let Some(parameter) = description.parameter else {
                assert_eq!(candidate.to_string(), description.name);
                continue;
            };
            assert_eq!(candidate.parameter, parameter.default);
            for accepted in [parameter.least, parameter.most] {
                let name = format!("{}:{accepted}", description.name);
                let candidate = parse(name.as_bytes()).unwrap();
                assert_eq!(candidate.parameter, accepted);
                assert_eq!(candidate.to_string(), name);
            }
        }
    }

    #[test]
    fn what_is_not_one_is_refused_for_its_reason() {
        for unknown in ["tikcet", "", ":", ":1", "Ticket", "ticket ", "futex"] {
            assert_eq!(parse(unknown.as_bytes()), Err(Unknown::Name), "{unknown}");
        }
        assert_eq!(parse(b"\xff"), Err(Unknown::Name));
        for given in ["pass-through:1", "pass-through:"] {
            assert_eq!(
                parse(given.as_bytes()),
                Err(Unknown::TakesNoParameter("pass-through"))
            );
        }
        let refused = Unknown::Parameter {
            name: "futex3",
            least: 0,
            most: 1_000_000,
        };
        for given in [
            "",
            "x",
            "-1",
            "+1",
            " 1",
            "1000001",
            "99999999999",
            "1:1",
            "0x10",
        ] {
            let name = format!("futex3:{given}");
            assert_eq!(parse(name.as_bytes()), Err(refused), "{name}");
        }
    }
}
