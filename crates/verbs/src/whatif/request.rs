//! The languages of `--slow` and `--fast`.

use locktoll_terminal::escape::shown_text;
use locktoll_terminal::failure::Failure;

use super::change::Direction;

/// One lock and how its holds are changed, as the user asked for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The lock's id or name, or a part of either.
    pub lock: String,
    /// Longer or shorter.
    pub direction: Direction,
    /// In per cent, in ascending order, each once.
    pub percents: Vec<u32>,
}

impl Direction {
    /// Returns the flag that asks for it.
    pub fn flag(self) -> &'static str {
        match self {
            Self::Slow => "--slow",
            Self::Fast => "--fast",
        }
    }

    /// Returns the changes by default, in per cent.
    pub fn defaults(self) -> Vec<u32> {
        match self {
            Self::Slow => vec![20, 50],
            Self::Fast => vec![25, 50],
        }
    }

    fn sign(self) -> char {
        match self {
            Self::Slow => '+',
            Self::Fast => '-',
        }
    }

    fn most(self) -> u32 {
        match self {
            Self::Slow => locktoll_substitute::lengthen::request::MOST_PERCENT,
            Self::Fast => locktoll_substitute::speed_up::request::MOST_PERCENT,
        }
    }

    fn example(self) -> &'static str {
        match self {
            Self::Slow => "queue_lock=+20%,+50%",
            Self::Fast => "queue_lock=-25%,-50%",
        }
    }
}

/// Parses `LOCK=+P%,...` for longer holds, `LOCK=-P%,...` for shorter ones, or `LOCK` alone for the default changes.
///
/// # Errors
/// [`Failure::Usage`], with what is accepted.
pub fn asked(direction: Direction, text: &str) -> Result<Asked, Failure> {
    let (flag, sign, most) = (direction.flag(), direction.sign(), direction.most());
    let refuse = |what: String| {
        Failure::Usage(format!(
            "{flag} {}: {what}; accepted: LOCK={sign}P%,... with P from 1 to {most}, such as {}",
            shown_text(text),
            direction.example()
        ))
    };
    // Names of locks may contain the sign; a list of changes may not.
    let (lock, changes) = match text.rsplit_once('=') {
        Some((lock, changes)) => (lock, Some(changes)),
        None => (text, None),
    };
    if lock.is_empty() {
        return Err(refuse("no lock is named".to_owned()));
    }
    let mut percents = Vec::new();
    for change in changes.into_iter().flat_map(|it| it.split(',')) {
        let digits = change
            .strip_prefix(sign)
            .and_then(|it| it.strip_suffix('%'));
        let percent = digits
            .filter(|it| it.bytes().all(|byte| byte.is_ascii_digit()))
            .and_then(|it| it.parse().ok())
            .filter(|percent| (1..=most).contains(percent));
        let Some(percent) = percent else {
            let wanted = match direction {
                Direction::Slow => "longer",
                Direction::Fast => "shorter",
            };
            return Err(refuse(format!(
                "'{}' is not a {wanted} hold",
                shown_text(change)
            )));
        };
        percents.push(percent);
    }
    if changes.is_none() {
        percents = direction.defaults();
    }
    percents.sort_unstable();
    percents.dedup();
    Ok(Asked {
        lock: lock.to_owned(),
        direction,
        percents,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_has_its_changes_or_the_default_ones() {
        let of = |direction, text: &str| {
            let asked = asked(direction, text).unwrap();
            (asked.lock, asked.percents)
        };
        use Direction::{Fast, Slow};
        assert_eq!(
            of(Slow, "queue_lock=+50%,+20%,+50%"),
            ("queue_lock".into(), vec![20, 50])
        );
        assert_eq!(of(Slow, "queue_lock"), ("queue_lock".into(), vec![20, 50]));
        assert_eq!(of(Slow, "map<a=b>=+10%"), ("map<a=b>".into(), vec![10]));
        assert_eq!(of(Fast, "queue_lock"), ("queue_lock".into(), vec![25, 50]));
        assert_eq!(of(Fast, "q=-90%,-5%"), ("q".into(), vec![5, 90]));
    }

    #[test]
    fn what_is_not_such_a_change_is_refused() {
        for wrong in [
            "", "=+20%", "a=", "a=20%", "a=+20", "a=-20%", "a=+0%", "a=+1001%", "a=+20%,", "a=++2%",
        ] {
            let error = asked(Direction::Slow, wrong).unwrap_err().to_string();
            assert!(error.contains("accepted: LOCK=+P%"), "{wrong}: {error}");
        }
        for wrong in ["", "a=+20%", "a=-0%", "a=-91%", "a=-100%", "a=25%", "a=-5"] {
            let error = asked(Direction::Fast, wrong).unwrap_err().to_string();
            assert!(error.contains("accepted: LOCK=-P%"), "{wrong}: {error}");
        }
    }
}
