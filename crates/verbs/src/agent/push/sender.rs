//! The thread that sends what is in a queue.

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::answer::{Answer, Reason};
use super::client::Client;
use super::pause::Pauses;
use super::queue::Queue;
use super::words;

/// The longest pause that a server can ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(600);

/// Starts the thread. It ends with the process: what it has not sent is on disk.
///
/// # Errors
/// If there can be no more threads.
pub fn start(queue: Arc<Queue>, mut client: Client) -> io::Result<()> {
    let thread = thread::Builder::new().name("push".to_owned());
    thread.spawn(move || send_all(&queue, &mut client))?;
    Ok(())
}

fn send_all(queue: &Queue, client: &mut Client) {
    let mut pauses = Pauses::default();
    // What was said last, so that it is said once.
    let mut said = None;
    let mut remarked = None;
    loop {
        let (number, item) = queue.oldest();
        let answer = match &item {
            Ok(Some(item)) => client.send(item),
            Ok(None) => Answer::Refused(Reason::new("its file is damaged or gone")),
            Err(error) => Answer::not_now(format!("the queue cannot be read: {error}")),
        };
        match answer {
            Answer::Taken(remark) => {
                queue.was_sent(number);
                pauses.begin_anew();
                if said.take().is_some() {
                    words::sending_again(client.server());
                }
                if let Some(remark) = remark
                    && is_new(&mut remarked, &remark)
                {
                    words::remark(client.server(), &remark);
                }
            }
            Answer::Refused(why) => {
                queue.drop_one(number);
                pauses.begin_anew();
                if is_new(&mut said, &why) {
                    words::refused(client.server(), &why);
                }
            }
            Answer::NotNow(why, after) => {
                if is_new(&mut said, &why) {
                    words::waiting(client.server(), &why);
                }
                // Each RandomState has another key.
                let pause = pauses.next(RandomState::new().hash_one(number));
                thread::sleep(pause.max(after.unwrap_or_default().min(LONGEST_PAUSE)));
            }
        }
    }
}

/// Notes what is said, and returns whether it is something else than what was said last.
fn is_new(said: &mut Option<String>, why: &Reason) -> bool {
    let is_new = said.as_ref() != Some(&why.what);
    *said = Some(why.what.clone());
    is_new
}
