//! The thread that sends what is in a queue.

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::answer::{Answer, Reason};
use super::client::Client;
use super::item::Item;
use super::pause::Pauses;
use super::queue::Queue;
use super::server::Server;
use super::words;

/// The longest pause that a server can ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(600);

/// The reason if an attempt panics. The panic itself has printed where.
const PANICKED: &str =
    "sending panicked, which is a mistake in locktoll (the message of the panic is above)";

/// Starts the thread. It ends with the process: what it has not sent is on disk.
///
/// # Errors
/// If there can be no more threads.
pub fn start(queue: Arc<Queue>, mut client: Client) -> io::Result<()> {
    let thread = thread::Builder::new().name("push".to_owned());
    thread.spawn(move || {
        let server = client.server().clone();
        let mut sending = Sending::new(&queue, server, |item| client.send(item));
        loop {
            thread::sleep(sending.attempt());
        }
    })?;
    Ok(())
}

/// Requests on their way from a queue to a server.
struct Sending<'q, S> {
    queue: &'q Queue,
    server: Server,
    send: S,
    pauses: Pauses,
    // What was said last, so that it is said once.
    said: Option<String>,
    remarked: Option<String>,
}

impl<'q, S: FnMut(&Item) -> Answer> Sending<'q, S> {
    fn new(queue: &'q Queue, server: Server, send: S) -> Self {
        Self {
            queue,
            server,
            send,
            pauses: Pauses::default(),
            said: None,
            remarked: None,
        }
    }

    /// Waits for a request and sends it. Returns the pause before the next one.
    ///
    /// A panic counts as an attempt that failed: the metrics do not depend on the server of profiles, so neither this thread nor the agent
    /// ends.
    fn attempt(&mut self) -> Duration {
        let attempt = catch_unwind(AssertUnwindSafe(|| self.send_oldest()));
        attempt.unwrap_or_else(|_| self.not_now(&Reason::new(PANICKED), None))
    }

    fn send_oldest(&mut self) -> Duration {
        let (number, item) = self.queue.oldest();
        let answer = match &item {
            Ok(Some(item)) => (self.send)(item),
            Ok(None) => Answer::Refused(Reason::new("its file is damaged or gone")),
            Err(error) => Answer::not_now(format!("the queue cannot be read: {error}")),
        };
        match answer {
            Answer::Taken(remark) => {
                self.queue.was_sent(number);
                self.pauses.begin_anew();
                if self.said.take().is_some() {
                    words::sending_again(&self.server);
                }
                if let Some(remark) = remark
                    && is_new(&mut self.remarked, &remark)
                {
                    words::remark(&self.server, &remark);
                }
                Duration::ZERO
            }
            Answer::Refused(why) => {
                self.queue.drop_one(number);
                self.pauses.begin_anew();
                if is_new(&mut self.said, &why) {
                    words::refused(&self.server, &why);
                }
                Duration::ZERO
            }
            Answer::NotNow(why, after) => self.not_now(&why, after),
        }
    }

    fn not_now(&mut self, why: &Reason, after: Option<Duration>) -> Duration {
        if is_new(&mut self.said, why) {
            words::waiting(&self.server, why);
        }
        // Each RandomState has another key.
        let pause = self.pauses.next(RandomState::new().hash_one(0));
        pause.max(after.unwrap_or_default().min(LONGEST_PAUSE))
    }
}

/// Notes what is said, and returns whether it is something else than what was said last.
fn is_new(said: &mut Option<String>, why: &Reason) -> bool {
    let is_new = said.as_ref() != Some(&why.what);
    *said = Some(why.what.clone());
    is_new
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::push::item::Head;
    use crate::agent::push::server::Kind;

    #[test]
    fn after_a_panic_the_same_request_is_sent_again_and_then_the_next_one() {
        let folder = tempfile::tempdir().unwrap();
        let queue = Queue::open(&folder.path().join("queue"), 1 << 20).unwrap();
        for body in [b"first", b"other"] {
            let head = Head {
                path: "/a".to_owned(),
                media_type: "text/plain".to_owned(),
                encoding: None,
            };
            let body = body.to_vec();
            queue.put(&Item { head, body }).unwrap();
        }
        let server = Server::of(Kind::Otlp, "http://127.0.0.1:4318").unwrap();
        let mut asked = Vec::new();
        let mut sending = Sending::new(&queue, server, |item: &Item| {
            asked.push(item.body.clone());
            assert!(asked.len() > 2, "a made-up mistake");
            Answer::Taken(None)
        });
        // Each pause is shortened by up to a half.
        assert!(sending.attempt() >= Duration::from_millis(500));
        assert_eq!(sending.said.as_deref(), Some(PANICKED));
        assert!(sending.attempt() >= Duration::from_secs(1));
        let counts = queue.counts();
        assert!((counts.sent, counts.dropped) == (0, 0) && counts.queued_bytes > 0);
        assert_eq!([sending.attempt(), sending.attempt()], [Duration::ZERO; 2]);
        assert_eq!(sending.said, None);
        assert_eq!(asked, [&b"first"[..], b"first", b"first", b"other"]);
        let counts = queue.counts();
        assert_eq!((counts.sent, counts.queued_bytes), (2, 0));
    }
}
