//! An agent that runs.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::bench::LOCKTOLL;
use crate::metrics::Metrics;

/// How long something that must happen may take on a machine that is busy with everything else.
const PATIENCE: Duration = Duration::from_secs(60);

/// An agent, until this value goes.
pub struct Agent {
    child: Child,
    /// Where it serves.
    pub address: SocketAddr,
    said: Arc<Mutex<String>>,
}

impl Agent {
    /// Starts with these flags, on a port that is free, with short intervals.
    pub fn start(flags: &[&str]) -> Self {
        Self::by(&mut Command::new(LOCKTOLL), flags)
    }

    /// The same by a command that was prepared.
    pub fn by(command: &mut Command, flags: &[&str]) -> Self {
        let words = ["agent", "--listen", "127.0.0.1:0", "--interval", "100ms"];
        let piped = command.args(words).args(flags).stderr(Stdio::piped());
        let child = piped.stdin(Stdio::null()).spawn().unwrap();
        // From here on, the agent ends with this value, whatever it says.
        let mut agent = Self {
            child,
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            said: Arc::default(),
        };
        let mut errors = BufReader::new(agent.child.stderr.take().unwrap());
        let mut begun = String::new();
        agent.address = loop {
            let mut line = String::new();
            assert!(
                errors.read_line(&mut line).unwrap() > 0,
                "it ended: {begun}"
            );
            begun.push_str(&line);
            if let Some((_, rest)) = line.split_once("metrics at http://") {
                let (address, _) = rest.split_once("/metrics").unwrap();
                break address.parse().unwrap();
            }
        };
        agent.said.lock().unwrap().push_str(&begun);
        let more = Arc::clone(&agent.said);
        std::thread::spawn(move || {
            for line in errors.lines().map_while(Result::ok) {
                more.lock().unwrap().push_str(&format!("{line}\n"));
            }
        });
        agent
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it has said on standard error.
    pub fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    /// The answer to a request, with its head.
    pub fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.address).unwrap();
        // An agent that refuses may close before everything is written.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8(answer).unwrap()
    }

    /// The metrics now.
    pub fn metrics(&self) -> Metrics {
        let answer = self.ask("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200 OK"), "{head}");
        Metrics::read(body)
    }

    /// Waits until the metrics are as wanted.
    pub fn until(&self, what: &str, is: impl Fn(&Metrics) -> bool) -> Metrics {
        let give_up = Instant::now() + PATIENCE;
        loop {
            let metrics = self.metrics();
            if is(&metrics) {
                return metrics;
            }
            assert!(
                Instant::now() < give_up,
                "{what}: never in\n{}\n{}",
                metrics.text,
                self.said()
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Ends it by a signal. Returns its exit code.
    pub fn end(&mut self, signal: i32) -> Option<i32> {
        // SAFETY: the child has not been waited for, so its number is still its own.
        assert_eq!(unsafe { libc::kill(self.child.id() as i32, signal) }, 0);
        self.child.wait().unwrap().code()
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
