//! Candidates' names: `ALGORITHM`, or `ALGORITHM:NUMBER`, and `+slice` behind either.

use core::fmt;

use locktoll_locks::catalogue::{self, Unknown};

use super::description::Description;
use super::list::{ALL, Algorithm};

/// What is put behind a name for a candidate whose holders request a time slice extension.
pub const SLICE_SUFFIX: &str = "+slice";

/// An algorithm with its parameter (0 if it takes none).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Its parameter.
    pub parameter: u32,
    /// Whether a thread requests a time slice extension while it holds a mutex ([`crate::slice_extension`]).
    pub slice_extension: bool,
}

impl Candidate {
    /// Returns what is known about its algorithm.
    pub fn description(&self) -> Option<&'static Description> {
        ALL.iter().find(|it| it.algorithm == self.algorithm)
    }
}

/// Writes the name that [`parse`] reads. It has the number if that is not the default, or if it distinguishes several locks.
impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(description) = self.description() else {
            return write!(f, "{:?}", self.algorithm);
        };
        f.write_str(description.name)?;
        match description.parameter {
            Some(it) if it.is_always_named || self.parameter != it.default => {
                write!(f, ":{}", self.parameter)?;
            }
            _ => {}
        }
        f.write_str(if self.slice_extension {
            SLICE_SUFFIX
        } else {
            ""
        })
    }
}

/// Returns the candidate with a name, in any of its spellings. `pass-through` has no form with [`SLICE_SUFFIX`]: this library does
/// not see when the C library's own mutexes are held.
///
/// # Errors
/// [`Unknown`], with what would have been accepted.
pub fn parse(text: &[u8]) -> Result<Candidate, Unknown> {
    let without_suffix = text.strip_suffix(SLICE_SUFFIX.as_bytes());
    let named = catalogue::parse(
        without_suffix.unwrap_or(text),
        ALL.iter().map(|it| &it.lock),
    )?;
    let description = ALL
        .iter()
        .find(|it| it.name == named.lock.name)
        .ok_or(Unknown::Name)?;
    let slice_extension = without_suffix.is_some();
    if slice_extension && description.algorithm == Algorithm::PassThrough {
        return Err(Unknown::Name);
    }
    let default = description.parameter.map_or(0, |it| it.default);
    Ok(Candidate {
        algorithm: description.algorithm,
        parameter: named.number.unwrap_or(default),
        slice_extension,
    })
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
                assert_eq!(parse(candidate.to_string().as_bytes()), Ok(candidate));
                let is_default = accepted == parameter.default;
                if parameter.is_always_named || !is_default {
                    assert_eq!(candidate.to_string(), name);
                } else {
                    assert_eq!(candidate.to_string(), description.name);
                }
            }
        }
    }

    #[test]
    fn names_of_bench_and_of_earlier_versions_are_accepted() {
        for (typed, shown) in [
            ("futex3-spin100", "futex3:100"),
            ("futex2-spin0", "futex2:0"),
            ("gate-pthread", "gate:2"),
            ("gate-pthread:3", "gate:3"),
            ("adaptive:100", "adaptive"),
            ("adaptive:7", "adaptive:7"),
        ] {
            assert_eq!(parse(typed.as_bytes()).unwrap().to_string(), shown);
        }
        assert_eq!(
            parse(b"mcs-park:7"),
            Err(Unknown::TakesNoParameter("mcs-park"))
        );
    }

    #[test]
    fn every_lock_has_a_form_with_the_slice_extension() {
        for description in ALL {
            let plain = parse(description.name.as_bytes()).unwrap();
            let name = format!("{plain}+slice");
            if description.algorithm == Algorithm::PassThrough {
                assert_eq!(parse(name.as_bytes()), Err(Unknown::Name));
                continue;
            }
            let sliced = parse(name.as_bytes()).unwrap();
            assert_eq!(sliced.to_string(), name);
            let expected = Candidate {
                slice_extension: true,
                ..plain
            };
            assert_eq!(sliced, expected);
        }
        let sliced = parse(b"futex3:100+slice").unwrap();
        assert_eq!((sliced.parameter, sliced.slice_extension), (100, true));
        for name in [
            "+slice",
            "tollgate+slice+slice",
            "tollgate+",
            "tollgate +slice",
        ] {
            assert_eq!(parse(name.as_bytes()), Err(Unknown::Name), "{name}");
        }
        assert!(parse(b"futex3+slice:100").is_err());
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
