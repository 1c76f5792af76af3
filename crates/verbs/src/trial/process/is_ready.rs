//! Whether a server is ready.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use super::{Child, Ready, listening};

/// The time limit for a connection within the machine, which is accepted or refused at once.
const AT_ONCE: Duration = Duration::from_millis(500);

/// Whether the server meets the condition.
///
/// # Errors
/// If the server's output cannot be read.
pub fn is_ready(ready: &Ready, server: &mut Child) -> io::Result<bool> {
    match ready {
        Ready::Port(port) => Ok(is_open(*port)),
        Ready::Says(pattern) => {
            Ok(server.stdout.matches(pattern)? || server.stderr.matches(pattern)?)
        }
        Ready::Listens => Ok(listening::by(server.pid)),
    }
}

/// Whether something on this machine accepts connections at this port.
pub fn is_open(port: u16) -> bool {
    let homes = [
        IpAddr::from(Ipv4Addr::LOCALHOST),
        IpAddr::from(Ipv6Addr::LOCALHOST),
    ];
    homes
        .into_iter()
        .any(|home| TcpStream::connect_timeout(&SocketAddr::new(home, port), AT_ONCE).is_ok())
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_port_is_open_while_somebody_listens() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        assert!(is_open(port));
    }
}
