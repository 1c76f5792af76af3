//! What has become of a request.

use std::fmt;
use std::time::Duration;

use locktoll_shown::pushed::{OTLP_VERSION, Remark};

/// What has become of a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// The server has taken it, perhaps with a remark.
    Taken(Option<Reason>),
    /// The server will never take it, or has not taken all of it: why.
    Refused(Reason),
    /// It may take it later: why not now, and after which time if the server has said so.
    NotNow(Reason, Option<Duration>),
}

/// A reason in words.
#[derive(Debug, PartialEq, Eq)]
pub struct Reason {
    /// What it is: the same words each time, so that they are said once.
    pub what: String,
    /// What the server says about it, or what else is known; it may differ each time.
    of_server: String,
}

impl Reason {
    /// A reason of which the server says nothing.
    pub fn new(what: impl Into<String>) -> Self {
        Self::with(what, "")
    }

    /// A reason with the words of the server.
    pub fn with(what: impl Into<String>, of_server: &str) -> Self {
        /// More is not of use in a line.
        const MOST_CHARACTERS: usize = 300;
        Self {
            what: what.into(),
            of_server: of_server.trim().chars().take(MOST_CHARACTERS).collect(),
        }
    }

    /// The reason that the server has no service for these profiles.
    pub fn no_service(what: &str, of_server: &str) -> Self {
        let what = format!(
            "{what}: it takes no profiles, or only those of another version of OTLP than that of {OTLP_VERSION}; \
             a collector takes them with --feature-gates=service.profilesSupport and a pipeline for profiles"
        );
        Self::with(what, of_server)
    }

    /// The reason that the server does not accept the token.
    pub fn no_token(what: &str, of_server: &str) -> Self {
        let what = format!(
            "{what}: the token is missing or not accepted; --push-token-file names the file with the token"
        );
        Self::with(what, of_server)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match self.of_server.is_empty() {
            true => Ok(()),
            false => write!(f, " ({})", self.of_server),
        }
    }
}

impl Answer {
    /// It may be taken later, and the server has not said when.
    pub fn not_now(what: impl Into<String>) -> Self {
        Self::NotNow(Reason::new(what), None)
    }

    /// Judges the body of an answer in OTLP to a request that was taken.
    pub fn of_otlp(body: &[u8]) -> Self {
        match Remark::of(body) {
            Some(Remark {
                rejected: 0,
                message,
            }) => Self::Taken(Some(Reason::with("the server has a remark", &message))),
            Some(Remark { message, .. }) => Self::Refused(Reason::with(
                "the server has rejected a part of it",
                &message,
            )),
            None => Self::Taken(None),
        }
    }

    /// Removes the token from the words of the server, which may repeat it.
    pub fn without(mut self, token: Option<&str>) -> Self {
        let reason = match &mut self {
            Self::Taken(reason) => reason.as_mut(),
            Self::Refused(reason) | Self::NotNow(reason, _) => Some(reason),
        };
        let (Some(reason), Some(token)) = (reason, token) else {
            return self;
        };
        let words = &mut reason.of_server;
        // Words that were cut may end within it.
        if words.contains(token) || ends_with_beginning(words, token) {
            *words = "the server's words contain the token".to_owned();
        }
        self
    }
}

/// Returns whether words end with the first characters of a token: enough of them to be of use to a thief.
fn ends_with_beginning(words: &str, token: &str) -> bool {
    const FEWEST: usize = 4;
    (FEWEST..token.len()).any(|length| words.ends_with(&token[..length]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_is_not_repeated() {
        let token = "s3cret".repeat(20);
        for said in [
            format!("unknown token {token}!"),
            format!("{}{token}", "x".repeat(250)),
        ] {
            let reason = Reason::with("refused", &said);
            let answer = Answer::Refused(reason).without(Some(&token));
            let Answer::Refused(reason) = answer else {
                panic!("{answer:?}");
            };
            assert_eq!(reason.what, "refused");
            assert!(!reason.to_string().contains("s3c"), "{reason}");
        }
        let harmless = || Answer::Taken(Some(Reason::with("taken", "no s3c")));
        assert_eq!(harmless().without(Some(&token)), harmless());
        assert_eq!(harmless().without(None), harmless());
    }

    #[test]
    fn long_words_are_cut() {
        let reason = Reason::with("a", &"\u{e9}".repeat(1000));
        assert_eq!(reason.to_string().chars().count(), 304);
        assert_eq!(Reason::new("a").to_string(), "a");
    }
}
