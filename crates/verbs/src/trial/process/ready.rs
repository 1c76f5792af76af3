//! `--ready`: the condition on which a server is ready.

use super::pattern::Pattern;

/// The condition on which a server is ready.
#[derive(Clone, Debug)]
pub enum Ready {
    /// Something on this machine accepts connections at this TCP port.
    Port(u16),
    /// The server has written something that this expression matches.
    Says(Pattern),
    /// The server, or a process that it has started, listens on a socket of any kind.
    Listens,
}

impl Ready {
    /// Parses `--ready`: a port, or else a regular expression.
    ///
    /// # Errors
    /// If it is neither; the message is one line.
    pub fn parse(text: &str) -> Result<Self, String> {
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return match text.parse() {
                Ok(0) | Err(_) => Err(format!("{text} is not a port; ports are 1 to 65535")),
                Ok(port) => Ok(Self::Port(port)),
            };
        }
        if text.is_empty() {
            return Err("it is empty; give a port or a regular expression".to_owned());
        }
        Pattern::new(text).map(Self::Says)
    }

    /// Says what was waited for.
    pub fn words(&self) -> String {
        match self {
            Self::Port(port) => format!("a connection to port {port} was not accepted"),
            Self::Says(pattern) => format!(
                "nothing that it wrote matched '{}'",
                locktoll_terminal::escape::shown_text(pattern.text())
            ),
            Self::Listens => {
                "it did not listen on any socket; use --ready to say when it is ready".to_owned()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_a_port_and_all_else_an_expression() {
        assert!(matches!(Ready::parse("6379"), Ok(Ready::Port(6379))));
        assert!(matches!(Ready::parse("[Rr]eady"), Ok(Ready::Says(_))));
        for (text, expected) in [
            ("0", "not a port"),
            ("65536", "not a port"),
            ("99999999999", "not a port"),
            ("", "empty"),
            ("(", "not a valid regular expression"),
        ] {
            let error = Ready::parse(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
