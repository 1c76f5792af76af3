//! What is to be pushed where, checked before anything starts.

use std::fs::{DirBuilder, File};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::process::geteuid;
use ureq::tls::Certificate;

use super::flags::PushArgs;
use super::queue::Queue;
use super::server::{Kind, Server};
use super::{roots, token};
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
        let Some(folder) = args.push_queue.as_deref().filter(|_| !servers.is_empty()) else {
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
        let lock = own_folder(folder).map_err(|why| refused_folder(folder, &why))?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive).map_err(|_| {
            let folder = shown(folder.as_os_str());
            Failure::Run(anyhow::anyhow!(
                "another agent uses the queue {folder}; give each agent a folder of its own with --push-queue"
            ))
        })?;
        let mut queues = Vec::new();
        for server in servers {
            let within = folder.join(server.kind.word());
            own_folder(&within).map_err(|why| refused_folder(&within, &why))?;
            let queue = Queue::open(&within, args.push_queue_size)
                .map_err(|error| refused_folder(&within, &error.to_string()))?;
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
            "{flag} has no effect without a server; add --push-pyroscope URL or --push-otlp URL"
        ))),
        None => Ok(()),
    }
}

fn refused(flag: &str, why: &str) -> Failure {
    Failure::Usage(format!("{flag} {why}"))
}

fn refused_folder(folder: &Path, why: &str) -> Failure {
    Failure::Usage(format!(
        "--push-queue {}: {why}; accepted: a folder that belongs to you and that only you may write to, or a new one",
        shown(folder.as_os_str())
    ))
}

/// Opens a folder, which is created if it is missing.
fn own_folder(folder: &Path) -> Result<File, String> {
    /// Others could put requests there, which would be sent with the token.
    const WRITABLE_BY_OTHERS: u32 = 0o022;
    let made = DirBuilder::new().mode(0o700).create(folder);
    match made {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
            return Err(error.to_string());
        }
        _ => {}
    }
    let opened = File::open(folder).map_err(|error| error.to_string())?;
    let metadata = opened.metadata().map_err(|error| error.to_string())?;
    if !metadata.is_dir() {
        return Err("it is not a folder".to_owned());
    }
    if metadata.uid() != geteuid().as_raw() {
        return Err("it belongs to another user".to_owned());
    }
    if metadata.mode() & WRITABLE_BY_OTHERS != 0 {
        return Err("other users may write to it".to_owned());
    }
    Ok(opened)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_folder_that_others_may_write_to_is_refused_and_a_missing_one_is_made() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("queue");
        own_folder(&folder).unwrap();
        let mode = || fs::metadata(&folder).unwrap().mode() & 0o777;
        assert_eq!(mode(), 0o700);
        for open in [0o777, 0o1777, 0o702, 0o720] {
            fs::set_permissions(&folder, Permissions::from_mode(open)).unwrap();
            assert!(own_folder(&folder).is_err(), "{open:o}");
        }
        let file = parent.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(own_folder(&file).is_err());
        assert!(own_folder(&parent.path().join("missing/queue")).is_err());
    }
}
