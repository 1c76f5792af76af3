//! The names of what can be tried.
//!
//! A candidate is an algorithm and, where it has one, its parameter: `ticket-yield`, `futex3:100`, `gate:2`.

/// An algorithm that can take the place of the program's mutexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// This library is loaded and replaces nothing.
    PassThrough,
    /// `locktoll_locks::TtasBackoff`.
    TtasBackoff,
}

/// What is known of an algorithm before it is tried.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// Its name, without a parameter.
    pub name: &'static str,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// One line for people.
    pub summary: &'static str,
    /// What the number behind the colon means, if it takes one.
    pub parameter: Option<Parameter>,
    /// Whether its waiters do nothing but spin: with more threads than processors such a lock may stand still for whole
    /// slices of the scheduler, and so it runs under a limit of time.
    pub is_pure_spinner: bool,
}

/// A number behind the colon.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// What it means, with its unit.
    pub meaning: &'static str,
    /// The least that is accepted.
    pub least: u32,
    /// The most that is accepted.
    pub most: u32,
    /// What it is where none is given.
    pub default: u32,
}

/// An algorithm with its parameter (0 where it takes none).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Its parameter.
    pub parameter: u32,
}

/// Everything that can be tried, in the order in which it is listed.
pub const ALL: &[Description] = &[
    Description {
        name: "pass-through",
        algorithm: Algorithm::PassThrough,
        summary: "the C library's own locks, with our library loaded: what loading it costs",
        parameter: None,
        is_pure_spinner: false,
    },
    Description {
        name: "ttas-backoff",
        algorithm: Algorithm::TtasBackoff,
        summary: "test-and-test-and-set with exponential back-off (Anderson 1990)",
        parameter: None,
        is_pure_spinner: true,
    },
];

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

/// The candidate of a name, `ALGORITHM` or `ALGORITHM:NUMBER`.
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

fn number(digits: &[u8]) -> Option<u32> {
    core::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_name_is_a_candidate() {
        for description in ALL {
            let candidate = parse(description.name.as_bytes()).unwrap();
            assert_eq!(candidate.algorithm, description.algorithm);
        }
    }

    #[test]
    fn what_is_not_one_is_refused_for_its_reason() {
        assert_eq!(parse(b"tikcet"), Err(Unknown::Name));
        assert_eq!(
            parse(b"pass-through:1"),
            Err(Unknown::TakesNoParameter("pass-through"))
        );
    }
}
