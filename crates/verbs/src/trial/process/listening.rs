//! Whether a process listens on a socket: proc_pid_net(5).

use std::collections::HashSet;
use std::path::Path;

/// In /proc/net/tcp: `TCP_LISTEN`.
const TCP_LISTEN: &str = "0A";

/// In /proc/net/unix: `__SO_ACCEPTCON`.
const ACCEPTS: u32 = 0x1_0000;

/// Whether a process of this session listens on a TCP or Unix socket.
pub fn by(session: i32) -> bool {
    let sockets = listening(Path::new("/proc").join(session.to_string()).as_path());
    !sockets.is_empty() && members(session).any(|pid| has_one_of(pid, &sockets))
}

/// Returns the processes of a session.
fn members(session: i32) -> impl Iterator<Item = i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    processes.filter(move |&pid| {
        // SAFETY: no memory is involved.
        unsafe { libc::getsid(pid) == session }
    })
}

/// Returns the inodes of all listening sockets in the network namespace of the process.
fn listening(process: &Path) -> HashSet<u64> {
    let table =
        |name: &str| std::fs::read_to_string(process.join("net").join(name)).unwrap_or_default();
    let mut inodes = HashSet::new();
    for name in ["tcp", "tcp6"] {
        inodes.extend(table(name).lines().filter_map(tcp_inode));
    }
    inodes.extend(table("unix").lines().filter_map(unix_inode));
    inodes
}

/// `sl local_address rem_address st tx:rx tr:tm retrnsmt uid timeout inode`
fn tcp_inode(line: &str) -> Option<u64> {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    (*fields.get(3)? == TCP_LISTEN).then(|| fields.get(9)?.parse().ok())?
}

/// `Num RefCount Protocol Flags Type St Inode Path`
fn unix_inode(line: &str) -> Option<u64> {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let flags = u32::from_str_radix(fields.get(3)?, 16).ok()?;
    (flags & ACCEPTS != 0).then(|| fields.get(6)?.parse().ok())?
}

fn has_one_of(pid: i32, sockets: &HashSet<u64>) -> bool {
    let entries = std::fs::read_dir(format!("/proc/{pid}/fd"));
    entries.into_iter().flatten().flatten().any(|entry| {
        std::fs::read_link(entry.path()).is_ok_and(|to| {
            let inode = to.to_str().and_then(|name| {
                name.strip_prefix("socket:[")?
                    .strip_suffix(']')?
                    .parse()
                    .ok()
            });
            inode.is_some_and(|inode: u64| sockets.contains(&inode))
        })
    })
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixListener;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn sockets_of_both_sorts_are_found() {
        let pid = std::process::id() as i32;
        let own = Path::new("/proc/self");
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        assert!(has_one_of(pid, &listening(own)));
        drop(tcp);
        let folder = tempfile::tempdir().unwrap();
        let _unix = UnixListener::bind(folder.path().join("socket")).unwrap();
        assert!(has_one_of(pid, &listening(own)));
    }

    #[test]
    fn a_session_listens_if_one_of_its_processes_does() {
        /// Starts a process in a session of its own, with this as its standard input.
        fn start(input: Stdio) -> std::process::Child {
            let mut command = Command::new("sleep");
            command.arg("60").stdin(input);
            // SAFETY: this is an async-signal-safe call.
            unsafe {
                command.pre_exec(|| match libc::setsid() {
                    ..0 => Err(std::io::Error::last_os_error()),
                    _ => Ok(()),
                });
            }
            command.spawn().unwrap()
        }
        let socket = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut listens = start(OwnedFd::from(socket).into());
        let mut does_not = start(Stdio::null());
        let found = [&listens, &does_not].map(|it| by(it.id() as i32));
        for process in [&mut listens, &mut does_not] {
            process.kill().unwrap();
            process.wait().unwrap();
        }
        assert_eq!(found, [true, false]);
    }

    #[test]
    fn lines_without_a_listener_are_passed_over() {
        let tcp =
            "0: 0100007F:18EB 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 4711 1";
        assert_eq!(tcp_inode(tcp), Some(4711));
        assert_eq!(tcp_inode(&tcp.replace(" 0A ", " 01 ")), None);
        assert_eq!(tcp_inode("  sl  local_address rem_address   st"), None);
        let unix = "ffff: 00000002 00000000 00010000 0001 01 4712 /run/x";
        assert_eq!(unix_inode(unix), Some(4712));
        assert_eq!(unix_inode(&unix.replace("00010000", "00000000")), None);
        assert_eq!(
            unix_inode("Num RefCount Protocol Flags Type St Inode Path"),
            None
        );
    }
}
