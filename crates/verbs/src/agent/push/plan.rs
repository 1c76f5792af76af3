//! What is to be pushed where, checked before anything starts.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use ureq::tls::Certificate;

use super::flags::PushArgs;
use super::queue::Queue;
use super::server::{Kind, Server};
use super::{folder, roots, token};
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;

/// What is asked for.
pub struct Plan {
    /// The servers, each with its queue.
    pub queues: Vec<(Server, Queue)>,
    /// The time between two profiles of a program.
    pub every: Duration,
    /// The file with the token.
    pub token: Option<PathBuf>,
    /// The certificates that servers are checked against.
    pub roots: Vec<Certificate<'static>>,
    /// Held as long as the queues are used: no other agent uses them.
    pub lock: File,
}

impl Plan {
    /// Checks the flags, and opens the queues. Returns nothing if nothing is to be pushed.
    ///
    /// # Errors
    /// [`Failure::Usage`] for what is not accepted; [`Failure::Run`] if another agent uses the queue.
    pub fn of(args: &PushArgs) -> Result<Option<Self>, Failure> {
        let servers = servers(args).map_err(Failure::Usage)?;
        let Some(path) = args.push_queue.as_deref().filter(|_| !servers.is_empty()) else {
            return unused(args).map(|()| None);
        };
        if let Some(file) = &args.push_token_file {
            token::read(file).map_err(|why| refused("--push-token-file", &why))?;
        }
        let is_encrypted = servers.iter().any(|it| it.is_encrypted);
        let roots = match (is_encrypted, &args.push_ca) {
            (false, None) => Vec::new(),
            (_, file) => roots::read(file.as_deref()).map_err(|why| refused("--push-ca", &why))?,
        };
        let lock = folder::own(path).map_err(|why| refused_folder(path, &why))?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive).map_err(|_| {
            let folder = shown(path.as_os_str());
            Failure::Run(anyhow::anyhow!(
                "another agent uses the queue {folder}; give each agent a folder of its own with --push-queue"
            ))
        })?;
        let mut queues = Vec::new();
        for server in servers {
            let within = path.join(server.kind.word());
            let queue = Queue::open(&within, args.push_queue_size)
                .map_err(|why| refused_folder(&within, &why))?;
            queues.push((server, queue));
        }
        Ok(Some(Self {
            queues,
            every: Duration::from_nanos(args.push_every),
            token: args.push_token_file.clone(),
            roots,
            lock,
        }))
    }
}

fn servers(args: &PushArgs) -> Result<Vec<Server>, String> {
    let all = [
        (Kind::Pyroscope, &args.push_pyroscope),
        (Kind::Otlp, &args.push_otlp),
        (Kind::OtlpGrpc, &args.push_otlp_grpc),
    ];
    let asked = all
        .into_iter()
        .filter_map(|(kind, address)| Some((kind, address.as_ref()?)));
    asked
        .map(|(kind, address)| Server::of(kind, address))
        .collect()
}

/// Refuses flags that have no effect without a server.
fn unused(args: &PushArgs) -> Result<(), Failure> {
    let flags = [
        ("--push-queue", &args.push_queue),
        ("--push-token-file", &args.push_token_file),
        ("--push-ca", &args.push_ca),
    ];
    match flags.iter().find(|(_, file)| file.is_some()) {
        Some((flag, _)) => Err(Failure::Usage(format!(
            "{flag} has no effect without a server; add --push-pyroscope URL, --push-otlp URL or --push-otlp-grpc URL"
        ))),
        None => Ok(()),
    }
}

fn refused(flag: &str, why: &str) -> Failure {
    Failure::Usage(format!("{flag}: {why}"))
}

fn refused_folder(folder: &Path, why: &str) -> Failure {
    Failure::Usage(format!(
        "--push-queue {}: {why}; accepted: a folder that belongs to you and that only you may write to, or a new one",
        shown(folder.as_os_str())
    ))
}
