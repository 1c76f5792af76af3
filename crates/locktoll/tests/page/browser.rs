//! Chromium without a window, driven through a pair of pipes.
//!
//! The protocol is <https://chromedevtools.github.io/devtools-protocol/>: JSON messages, each ended by a zero byte, with
//! answers recognised by their id, and events without one. `--remote-debugging-pipe` reads from descriptor 3 and writes
//! to 4, so there is no port that another process could take or find, and Chromium ends with the pipe.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::tab::Tab;
use super::turn::Turn;

/// What Chromium is called, by distribution.
const NAMES: [&str; 5] = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// Far more than any step takes on a loaded machine: a page that hangs must not hang the tests.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A running Chromium with a profile of its own.
pub struct Browser {
    process: Child,
    to: Option<ChildStdin>,
    from: Receiver<Value>,
    last_id: u64,
    /// What happened, the oldest first, as the protocol tells it.
    events: Vec<Value>,
    /// What separates the tabs of a test from those of others, each like a window without a history.
    contexts: Vec<String>,
    folder: tempfile::TempDir,
}

impl Browser {
    /// The browser, as soon as no other test uses it; `None` where there is none and the test is skipped.
    pub fn start() -> Option<Turn> {
        let program = locktoll_needs::any_program(&NAMES)?;
        Some(Turn::take(|| Self::running(program)))
    }

    /// Starts Chromium.
    fn running(program: &str) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("locktoll-page-")
            .tempdir()
            .unwrap();
        // The shell puts the pipes where Chromium wants them, and is replaced by it.
        let mut process = Command::new("sh")
            .args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null"#])
            .arg(program)
            .args([
                "--headless",
                "--remote-debugging-pipe",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--no-default-browser-check",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-default-apps",
                "--disable-extensions",
                "--hide-scrollbars",
            ])
            .arg(format!(
                "--user-data-dir={}",
                folder.path().join("profile").display()
            ))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("sh is there");
        let to = process.stdin.take();
        let from = messages(BufReader::new(process.stdout.take().unwrap()));
        Self {
            process,
            to,
            from,
            last_id: 0,
            events: Vec::new(),
            contexts: Vec::new(),
            folder,
        }
    }

    /// Writes the page to a file and opens that, in a window of 1280 x 900; returns once it has drawn itself.
    pub fn open(&mut self, html: &str) -> Tab<'_> {
        let file = self.folder.path().join("page.html");
        std::fs::write(&file, html).unwrap();
        self.open_file(&file)
    }

    /// Opens a page that is a file already.
    pub fn open_file(&mut self, file: &Path) -> Tab<'_> {
        Tab::open(self, file)
    }

    /// Asks for something and waits for the answer.
    pub fn ask(&mut self, session: Option<&str>, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        let to = self.to.as_mut().expect("open until it is dropped");
        to.write_all(&bytes).expect("Chromium listens");
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let message = self.from.recv_timeout(left);
            let message = message.unwrap_or_else(|error| panic!("no answer to {method}: {error}"));
            if message["id"] == id {
                let error = &message["error"];
                assert!(error.is_null(), "{method}: {error}");
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    /// A tab without a page, and without a past.
    pub(super) fn blank(&mut self) -> Value {
        let context = self.ask(None, "Target.createBrowserContext", json!({}));
        let context = context["browserContextId"].as_str().unwrap().to_owned();
        let blank = json!({ "url": "about:blank", "browserContextId": context });
        self.contexts.push(context);
        self.ask(None, "Target.createTarget", blank)
    }

    /// Closes all tabs, and forgets what happened in them.
    pub(super) fn clear(&mut self) {
        for context in std::mem::take(&mut self.contexts) {
            let context = json!({ "browserContextId": context });
            self.ask(None, "Target.disposeBrowserContext", context);
        }
        self.events.clear();
    }

    /// What happened in a session, of one sort.
    pub fn events<'a>(
        &'a self,
        session: &'a str,
        method: &'a str,
    ) -> impl Iterator<Item = &'a Value> {
        let of_session = move |it: &&Value| it["sessionId"] == session && it["method"] == method;
        self.events
            .iter()
            .filter(of_session)
            .map(|it| &it["params"])
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The end of the pipe ends it; it may take its time over that, but not for ever.
        drop(self.to.take());
        for _ in 0..100 {
            if !matches!(self.process.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Reads messages on a thread of its own, so that waiting for one can end.
fn messages(mut from: impl BufRead + Send + 'static) -> Receiver<Value> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut message = Vec::new();
        while from.read_until(0, &mut message).is_ok_and(|read| read > 0) {
            message.pop();
            let Ok(value) = serde_json::from_slice(&message) else {
                break;
            };
            if sender.send(value).is_err() {
                break;
            }
            message.clear();
        }
    });
    receiver
}
