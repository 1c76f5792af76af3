//! The flags, checked before anything starts.

use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use regex::Regex;

use super::push::Plan;
use super::selection::Selection;
use super::text_file;
use crate::agent::flags::AgentArgs;
use crate::arguments::one_line;
use crate::groups::Renewed;
use locktoll_sources::futexes::Subject;
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::failure::Failure;

/// Where the metrics are if nothing else is asked for.
const LISTEN: &str = "127.0.0.1:9779";

/// What is asked for.
pub struct Request {
    /// The processes to watch.
    pub selection: Selection,
    /// The open port, if there is to be one.
    pub listener: Option<TcpListener>,
    /// The file for node-exporter.
    pub textfile: Option<PathBuf>,
    /// Most locks with series of their own.
    pub max_series: NonZeroUsize,
    /// The time between two readings.
    pub interval: Duration,
    /// Where profiles are pushed, if they are.
    pub push: Option<Plan>,
}

impl Request {
    /// Checks the flags, and opens the port.
    ///
    /// # Errors
    /// [`Failure::Usage`] for what is not accepted; [`Failure::Unsupported`] for a process that is not there; [`Failure::Run`] for a port
    /// that cannot be opened.
    pub fn of(args: &AgentArgs) -> Result<Self, Failure> {
        let selection = Selection {
            pids: args.pid.clone(),
            name: args.name.as_deref().map(name).transpose()?,
            group: Renewed::of(&args.group)?,
            all: args.all,
        };
        for &pid in &args.pid {
            Subject::of(pid)?;
        }
        if let Some(file) = &args.textfile {
            text_file::check(file)?;
        }
        let push = Plan::of(&args.push)?;
        let listen = match (&args.listen, &args.textfile) {
            (Some(listen), _) => Some(address(listen)?),
            (None, None) => Some(address(LISTEN)?),
            (None, Some(_)) => None,
        };
        Ok(Self {
            selection,
            listener: listen.map(open).transpose()?,
            textfile: args.textfile.clone(),
            max_series: NonZeroUsize::new(args.max_series as usize).unwrap_or(NonZeroUsize::MIN),
            interval: Duration::from_nanos(args.interval),
            push,
        })
    }
}

fn name(expression: &str) -> Result<Regex, Failure> {
    Regex::new(expression).map_err(|error| {
        Failure::Usage(format!(
            "--name: {}; accepted: a regular expression, such as '^server$'",
            one_line(&error.to_string())
        ))
    })
}

fn address(text: &str) -> Result<SocketAddr, Failure> {
    text.parse().map_err(|_| {
        let text = shown_text(text);
        Failure::Usage(format!(
            "--listen: '{text}' is not an address and a port; accepted: an IP address and a port, such as {LISTEN} or [::1]:9779"
        ))
    })
}

fn open(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).map_err(|error| {
        Failure::Run(anyhow::anyhow!(
            "cannot listen on {address}: {error}; choose another address or port with --listen"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused<T>(result: Result<T, Failure>) -> String {
        match result {
            Err(Failure::Usage(words)) => words,
            Err(other) => panic!("{other}"),
            Ok(_) => panic!("accepted"),
        }
    }

    #[test]
    fn what_is_no_address_or_expression_is_refused_in_one_line() {
        for wrong in ["9779", "localhost:9779", "127.0.0.1", "127.0.0.1:99999", ""] {
            let words = refused(address(wrong));
            assert!(
                words.contains("accepted") && words.lines().count() == 1,
                "{words}"
            );
        }
        assert!(address("[::1]:80").is_ok() && address("0.0.0.0:1").is_ok());
        let words = refused(name("a("));
        assert!(
            words.contains("accepted") && words.lines().count() == 1,
            "{words}"
        );
    }
}
