//! memcached: worker threads over one table, with one lock per bucket, and threads that manage memory.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

use super::contestants::{Run, on_every_lock};
use super::pace::{PATIENCE, steps, together};
use super::process::Running;

const CLIENTS: usize = 8;
const KEYS: usize = 16;

#[test]
fn memcached() {
    if locktoll_needs::programs(&["memcached"]) {
        on_every_lock("memcached", serve);
    }
}

fn serve(run: &Run) -> Result<(), String> {
    let socket = run.path("socket");
    let mut server = run.command("memcached");
    server.arg("-s").arg(&socket).args(["-t", "4", "-m", "16"]);
    // SAFETY: geteuid(2) cannot fail.
    if unsafe { libc::geteuid() } == 0 {
        server.args(["-u", "root"]);
    }
    let mut server = Running::start(&mut server, run.path("log"))?;
    let mut client = None;
    server.until("it listens", || {
        client = Client::connect(&socket).ok();
        client.is_some()
    })?;
    let mut client = client.ok_or("no connection")?;
    client.store("shared", "0")?;
    client.store("pair", "0")?;

    let rounds = together(CLIENTS, |number| load(&socket, number))?;
    is(&client.fetch("shared")?.0, &(rounds * KEYS).to_string())?;
    is(&client.fetch("pair")?.0, &rounds.to_string())?;
    let items = client.statistic("curr_items")?;
    is(&items, &(CLIENTS * KEYS + 2).to_string())?;
    server.stop()
}

/// Values of its own that must come back, a counter that all add to, and one that all change by compare and swap.
fn load(socket: &Path, number: usize) -> Result<usize, String> {
    let mut client = Client::connect(socket).map_err(|error| error.to_string())?;
    let mut rounds = 0;
    for round in steps() {
        for key in 0..KEYS {
            let name = format!("key-{number}-{key}");
            let value = format!("{number}-{round}-{key}-{}", "y".repeat(key * 60));
            client.store(&name, &value)?;
            client.send("incr shared 1\r\n")?;
            let count = client.line()?;
            count.parse::<u64>().map_err(|_| format!("incr: {count}"))?;
            is(&client.fetch(&name)?.0, &value)?;
        }
        loop {
            let (value, version) = client.fetch("pair")?;
            let next = value.parse::<u64>().map_err(|error| error.to_string())? + 1;
            let next = next.to_string();
            client.send(&format!(
                "cas pair 0 0 {} {version}\r\n{next}\r\n",
                next.len()
            ))?;
            match client.line()?.as_str() {
                "STORED" => break,
                "EXISTS" => {}
                other => return Err(format!("cas: {other}")),
            }
        }
        rounds += 1;
    }
    Ok(rounds)
}

fn is(found: &str, expected: &str) -> Result<(), String> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("wrong answer: {found:.200}, not {expected:.200}")),
    }
}

/// Speaks the protocol of lines.
struct Client(BufReader<UnixStream>);

impl Client {
    fn connect(socket: &Path) -> std::io::Result<Self> {
        let stream = UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self(BufReader::new(stream)))
    }

    fn send(&mut self, text: &str) -> Result<(), String> {
        let written = self.0.get_mut().write_all(text.as_bytes());
        written.map_err(|error| format!("writing: {error}"))
    }

    fn line(&mut self) -> Result<String, String> {
        let mut line = String::new();
        let read = self.0.read_line(&mut line);
        match read.map_err(|error| format!("no answer: {error}"))? {
            0 => Err("the connection was closed".to_owned()),
            _ => Ok(line.trim_end().to_owned()),
        }
    }

    fn store(&mut self, key: &str, value: &str) -> Result<(), String> {
        self.send(&format!("set {key} 0 0 {}\r\n{value}\r\n", value.len()))?;
        is(&self.line()?, "STORED")
    }

    /// A value, and its version for a compare and swap.
    fn fetch(&mut self, key: &str) -> Result<(String, String), String> {
        self.send(&format!("gets {key}\r\n"))?;
        let head = self.line()?;
        let words: Vec<&str> = head.split(' ').collect();
        let ["VALUE", _, _, length, version] = words[..] else {
            return Err(format!("{key} is not there: {head}"));
        };
        let length: usize = length.parse().map_err(|_| head.clone())?;
        let mut bytes = vec![0; length + 2];
        let read = self.0.read_exact(&mut bytes);
        read.map_err(|error| format!("half an answer: {error}"))?;
        bytes.truncate(length);
        is(&self.line()?, "END")?;
        let value = String::from_utf8(bytes).map_err(|error| error.to_string())?;
        Ok((value.trim_end().to_owned(), version.to_owned()))
    }

    fn statistic(&mut self, name: &str) -> Result<String, String> {
        self.send("stats\r\n")?;
        let mut found = Err(format!("no {name}"));
        loop {
            let line = self.line()?;
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["STAT", known, value] if known == name => found = Ok(value.to_owned()),
                ["END"] => return found,
                _ => {}
            }
        }
    }
}
