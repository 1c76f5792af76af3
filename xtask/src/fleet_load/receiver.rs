//! A server of profiles that takes everything, or answers with an error as long as it is away.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The server. It serves until the program ends.
pub struct Receiver {
    address: String,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    is_away: AtomicBool,
    taken: AtomicU64,
}

impl Receiver {
    /// Serves on a port that is free.
    pub fn start() -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let receiver = Self {
            address: format!("http://{}", listener.local_addr()?),
            state: Arc::default(),
        };
        let state = Arc::clone(&receiver.state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&state);
                // A request that breaks off is the agent's to repeat.
                std::thread::spawn(move || serve(&stream, &state));
            }
        });
        Ok(receiver)
    }

    /// The address for the agent's flag.
    pub fn url(&self) -> String {
        self.address.clone()
    }

    /// Goes away, or comes back.
    pub fn set_away(&self, is_away: bool) {
        self.state.is_away.store(is_away, Ordering::SeqCst);
    }

    /// Profiles that it has taken.
    pub fn taken(&self) -> u64 {
        self.state.taken.load(Ordering::SeqCst)
    }
}

fn serve(mut stream: &TcpStream, state: &State) -> std::io::Result<()> {
    let mut input = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        input.read_line(&mut line)?;
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        let header = line.split_once(':');
        if let Some((_, value)) = header.filter(|it| it.0.eq_ignore_ascii_case("content-length")) {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    std::io::copy(&mut input.take(length), &mut std::io::sink())?;
    let status = match state.is_away.load(Ordering::SeqCst) {
        true => "503 Service Unavailable",
        false => {
            state.taken.fetch_add(1, Ordering::SeqCst);
            "200 OK"
        }
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )
}
