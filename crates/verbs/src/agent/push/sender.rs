//! The thread that sends what is in a queue.

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::Arc;
use std::thread;

use super::client::{Answer, Client};
use super::pause::Pauses;
use super::queue::Queue;
use super::words;

/// Starts the thread. It ends with the process: what it has not sent is on disk.
///
/// # Errors
/// If there can be no more threads.
pub fn start(queue: Arc<Queue>, client: Client) -> io::Result<()> {
    let thread = thread::Builder::new().name("push".to_owned());
    thread.spawn(move || send_all(&queue, &client))?;
    Ok(())
}

fn send_all(queue: &Queue, client: &Client) {
    let mut pauses = Pauses::default();
    // What was said last, so that it is said once.
    let mut said = None;
    loop {
        let (number, item) = queue.oldest();
        let answer = match &item {
            Ok(Some(item)) => client.send(item),
            Ok(None) => Answer::Refused("its file is damaged or gone".to_owned()),
            Err(error) => Answer::NotNow(format!("the queue cannot be read: {error}")),
        };
        match answer {
            Answer::Taken => {
                queue.was_sent(number);
                pauses.begin_anew();
                if said.take().is_some() {
                    words::sending_again(client.server());
                }
            }
            Answer::Refused(why) => {
                queue.drop_one(number);
                pauses.begin_anew();
                if said.as_ref() != Some(&why) {
                    words::refused(client.server(), &why);
                }
                said = Some(why);
            }
            Answer::NotNow(why) => {
                if said.as_ref() != Some(&why) {
                    words::waiting(client.server(), &why);
                }
                said = Some(why);
                // Each RandomState has another key.
                thread::sleep(pauses.next(RandomState::new().hash_one(number)));
            }
        }
    }
}
