//! redis-server: threads for input and output, threads in the background, jemalloc, and children that write files.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

use super::contestants::{Run, on_every_lock};
use super::pace::{PATIENCE, steps, together};
use super::process::Running;

/// Connections. Threads for input and output run only with twice as many connections as threads.
const CLIENTS: usize = 6;
/// Commands sent before the first answer is read.
const AT_ONCE: usize = 24;

#[test]
fn redis() {
    if locktoll_needs::programs(&["redis-server"]) {
        on_every_lock("redis", serve);
    }
}

fn serve(run: &Run) -> Result<(), String> {
    let socket = run.path("socket");
    let mut server = run.command("redis-server");
    server.args(["--port", "0", "--unixsocket"]).arg(&socket);
    server.args(["--io-threads", "2", "--io-threads-do-reads", "yes"]);
    server.args(["--save", "", "--appendonly", "yes", "--appendfsync", "no"]);
    let mut server = Running::start(&mut server, run.path("log"))?;
    let mut client = None;
    server.until("it answers", || {
        client = Client::connect(&socket).ok();
        client
            .as_mut()
            .is_some_and(|it| it.ask(&["PING"]).as_deref() == Ok("+PONG"))
    })?;
    let mut client = client.ok_or("no connection")?;

    // A child of the threaded program, while the others go on.
    client.expect(&["BGSAVE"], "+Background saving started")?;
    let batches = together(CLIENTS, |number| load(&socket, number))?;
    let all = (batches * AT_ONCE).to_string();
    client.expect(&["GET", "shared"], &all)?;
    client.expect(&["DBSIZE"], &format!(":{}", CLIENTS * AT_ONCE + 1))?;
    server.until("the child has written its file", || {
        run.path("dump.rdb").is_file()
    })?;
    // All of it, read back from the file.
    client
        .expect(&["DEBUG", "RELOAD"], "+OK")
        .or_else(|_| client.expect(&["SAVE"], "+OK"))?;
    client.expect(&["GET", "shared"], &all)?;
    client.expect(&["FLUSHALL", "ASYNC"], "+OK")?;
    client.expect(&["DBSIZE"], ":0")?;
    server.stop()
}

/// Values of its own that must come back, a counter that all share, and lists that a thread in the background frees.
fn load(socket: &Path, number: usize) -> Result<usize, String> {
    let mut client = Client::connect(socket).map_err(|error| error.to_string())?;
    let list = format!("list:{number}");
    let mut batches = 0;
    for batch in steps() {
        let keys: Vec<String> = (0..AT_ONCE)
            .map(|key| format!("key:{number}:{key}"))
            .collect();
        let value = |key: usize| format!("{number}-{batch}-{key}-{}", "x".repeat(key * 40));
        for (at, key) in keys.iter().enumerate() {
            client.send(&["SET", key, &value(at)])?;
            client.send(&["INCR", "shared"])?;
            client.send(&["RPUSH", &list, &value(at), "b", "c", "d"])?;
            client.send(&["GET", key])?;
        }
        client.flush()?;
        let mut last = 0;
        for at in 0..AT_ONCE {
            is(&client.answer()?, "+OK")?;
            let count = client.answer()?;
            let count: usize = count[1..].parse().map_err(|_| format!("INCR: {count}"))?;
            if count <= last {
                return Err(format!("the counter went from {last} to {count}"));
            }
            last = count;
            is(&client.answer()?, &format!(":{}", 4 * (at + 1)))?;
            is(&client.answer()?, &value(at))?;
        }
        // More than 64 elements: freed by a thread of its own.
        client.expect(&["UNLINK", &list], ":1")?;
        batches += 1;
    }
    Ok(batches)
}

fn is(found: &str, expected: &str) -> Result<(), String> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("wrong answer: {found:.200}, not {expected:.200}")),
    }
}

/// Speaks RESP.
struct Client {
    output: Vec<u8>,
    stream: BufReader<UnixStream>,
}

impl Client {
    fn connect(socket: &Path) -> std::io::Result<Self> {
        let stream = UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self {
            output: Vec::new(),
            stream: BufReader::new(stream),
        })
    }

    fn send(&mut self, words: &[&str]) -> Result<(), String> {
        let mut command = format!("*{}\r\n", words.len());
        for word in words {
            command.push_str(&format!("${}\r\n{word}\r\n", word.len()));
        }
        self.output.extend(command.as_bytes());
        Ok(())
    }

    fn flush(&mut self) -> Result<(), String> {
        let output = std::mem::take(&mut self.output);
        let written = self.stream.get_mut().write_all(&output);
        written.map_err(|error| format!("writing: {error}"))
    }

    /// The next answer: a string's contents, or the line of everything else.
    fn answer(&mut self) -> Result<String, String> {
        let mut line = String::new();
        let read = self.stream.read_line(&mut line);
        read.map_err(|error| format!("no answer: {error}"))?;
        let line = line.trim_end().to_owned();
        let Some(length) = line
            .strip_prefix('$')
            .and_then(|it| it.parse::<usize>().ok())
        else {
            return match line.is_empty() {
                true => Err("the connection was closed".to_owned()),
                false => Ok(line),
            };
        };
        let mut bytes = vec![0; length + 2];
        let read = self.stream.read_exact(&mut bytes);
        read.map_err(|error| format!("half an answer: {error}"))?;
        bytes.truncate(length);
        String::from_utf8(bytes).map_err(|error| error.to_string())
    }

    fn ask(&mut self, words: &[&str]) -> Result<String, String> {
        self.send(words)?;
        self.flush()?;
        self.answer()
    }

    fn expect(&mut self, words: &[&str], expected: &str) -> Result<(), String> {
        is(&self.ask(words)?, expected).map_err(|error| format!("{words:?}: {error}"))
    }
}
