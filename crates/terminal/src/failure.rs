//! How the program ends: every failure belongs to one class, and the program gives every class one exit code.

/// How a verb that reached its end wants the process to end.
#[derive(Debug, PartialEq, Eq)]
pub enum Ending {
    /// The verb did what was asked: exit code 0.
    Done,
    /// The verb did what was asked, and what it looked for was found: exit code 1, without a message.
    Found,
    /// Pass on the exit status of the program that was run (128+N for signal N).
    ProgramStatus(u8),
}

/// Why a verb did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The run failed: exit code 1.
    #[error("{0:#}")]
    Run(anyhow::Error),
    /// The run failed, in a verb whose exit code 1 says what it found: exit code 4.
    #[error("{0:#}")]
    Check(anyhow::Error),
    /// The command line asks for something that is not accepted: exit code 2. The text says what
    /// was wrong and what is accepted.
    #[error("{0}")]
    Usage(String),
    /// This machine, or this program, cannot be served: exit code 3. The text says what can be done.
    #[error("{0}")]
    Unsupported(String),
    /// The kernel does not accept locktoll's programs: exit code 3. The text is the message of the kernel or the loader.
    #[error("the kernel does not run our programs ({0}); `locktoll doctor` says what is missing")]
    NotTraced(String),
    /// The reader of the output has ended (`locktoll bench --list | head -1`): not an error.
    #[error("standard output was closed")]
    OutputClosed,
}

impl Failure {
    /// Turns a failed run into one whose exit code differs from that of [`Ending::Found`].
    #[must_use]
    pub fn apart_from_found(self) -> Self {
        match self {
            Self::Run(error) => Self::Check(error),
            other => other,
        }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        let closed = error.chain().any(|cause| {
            cause
                .downcast_ref::<std::io::Error>()
                .is_some_and(crate::system::terminal::reader_left)
        });
        if closed {
            Self::OutputClosed
        } else {
            Self::Run(error)
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::from(anyhow::Error::from(error))
    }
}

/// The result of every verb.
pub type Outcome = Result<Ending, Failure>;
