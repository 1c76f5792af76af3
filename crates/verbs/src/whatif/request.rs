//! The language of `--slow`.

use locktoll_terminal::escape::shown_text;
use locktoll_terminal::failure::Failure;

/// The lengths by default, in per cent.
pub const LENGTHS: [u32; 2] = [20, 50];

/// The largest percentage by which a hold is lengthened.
const MOST: u32 = locktoll_substitute::lengthen::request::MOST_PERCENT;

/// One lock and its lengths, as the user asked for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slow {
    /// The lock's id or name, or a part of either.
    pub lock: String,
    /// In per cent, in ascending order, each once.
    pub percents: Vec<u32>,
}

/// Parses `LOCK=+P%,...`, or `LOCK` alone for the default lengths.
///
/// # Errors
/// [`Failure::Usage`], with what is accepted.
pub fn slow(text: &str) -> Result<Slow, Failure> {
    let refuse = |what: String| {
        Failure::Usage(format!(
            "--slow {}: {what}; accepted: LOCK=+P%,... with P from 1 to {MOST}, such as queue_lock=+20%,+50%",
            shown_text(text)
        ))
    };
    // Names of locks may contain the sign; a list of lengths may not.
    let (lock, lengths) = match text.rsplit_once('=') {
        Some((lock, lengths)) => (lock, Some(lengths)),
        None => (text, None),
    };
    if lock.is_empty() {
        return Err(refuse("no lock is named".to_owned()));
    }
    let Some(lengths) = lengths else {
        return Ok(Slow {
            lock: lock.to_owned(),
            percents: LENGTHS.to_vec(),
        });
    };
    let mut percents = Vec::new();
    for length in lengths.split(',') {
        let digits = length.strip_prefix('+').and_then(|it| it.strip_suffix('%'));
        let percent = digits
            .filter(|it| it.bytes().all(|byte| byte.is_ascii_digit()))
            .and_then(|it| it.parse().ok())
            .filter(|percent| (1..=MOST).contains(percent));
        match percent {
            Some(percent) => percents.push(percent),
            None => {
                return Err(refuse(format!(
                    "'{}' is not a longer hold",
                    shown_text(length)
                )));
            }
        }
    }
    percents.sort_unstable();
    percents.dedup();
    Ok(Slow {
        lock: lock.to_owned(),
        percents,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_has_its_lengths_or_the_default_ones() {
        let of = |text: &str| {
            let slow = slow(text).unwrap();
            (slow.lock, slow.percents)
        };
        assert_eq!(
            of("queue_lock=+50%,+20%,+50%"),
            ("queue_lock".into(), vec![20, 50])
        );
        assert_eq!(of("queue_lock"), ("queue_lock".into(), vec![20, 50]));
        assert_eq!(of("map<a=b>=+10%"), ("map<a=b>".into(), vec![10]));
    }

    #[test]
    fn what_is_not_a_longer_hold_is_refused() {
        for wrong in [
            "", "=+20%", "a=", "a=20%", "a=+20", "a=-20%", "a=+0%", "a=+1001%", "a=+20%,", "a=++2%",
        ] {
            let error = slow(wrong).unwrap_err().to_string();
            assert!(error.contains("accepted: LOCK=+P%"), "{wrong}: {error}");
        }
    }
}
