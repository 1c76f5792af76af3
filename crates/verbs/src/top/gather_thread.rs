//! The thread that reads the sources: looking up names may take longer than a user waits for a key.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::present;
use crate::top::{Gatherer, Interval, Trouble, save};
use locktoll_terminal::escape::shown;

/// What the screen asks for.
enum Wish {
    Choose(Option<u32>),
    Save(u32),
}

/// What comes back.
pub enum News {
    /// The sources are open.
    Started,
    /// They are not, and why.
    Refused(Trouble),
    /// An interval has ended.
    Interval(Box<Interval>),
    /// Something was saved, or why not.
    Saved(Result<String, String>),
}

/// The other thread, seen from the screen.
pub struct Gathering {
    wishes: Option<Sender<Wish>>,
    news: Receiver<News>,
    thread: Option<JoinHandle<()>>,
}

/// As often what passes is looked at within an interval, at most.
const LOOKS_APART: Duration = Duration::from_millis(100);

/// So long the other thread's last reading is waited for at the end.
const LAST_READING: Duration = Duration::from_secs(2);
const GLANCE: Duration = Duration::from_millis(5);

impl Gathering {
    /// Starts it. The first news are whether it could.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn start(pid: Option<u32>, interval: Duration, folder: PathBuf) -> std::io::Result<Self> {
        let (wishes, to_do) = channel();
        let (to_tell, news) = channel();
        let thread = thread::Builder::new()
            .name("gather".to_owned())
            .spawn(move || {
                // The sources are made where they are used: what they hold stays on one thread.
                match Gatherer::start(pid) {
                    Err(trouble) => drop(to_tell.send(News::Refused(trouble))),
                    Ok(gatherer) => {
                        Gatherer::keep_what_is_needed(present::duty_in(&folder));
                        let _ = to_tell.send(News::Started);
                        gather(gatherer, interval, &folder, &to_do, &to_tell);
                    }
                }
            })?;
        Ok(Self {
            wishes: Some(wishes),
            news,
            thread: Some(thread),
        })
    }

    /// Looks into a program, or over all of them.
    pub fn choose(&self, pid: Option<u32>) {
        self.wish(Wish::Choose(pid));
    }

    /// Saves what is known of a program.
    pub fn save(&self, pid: u32) {
        self.wish(Wish::Save(pid));
    }

    fn wish(&self, wish: Wish) {
        if let Some(wishes) = &self.wishes {
            // It ends only when we hang up.
            let _ = wishes.send(wish);
        }
    }

    /// The next news, if there are any yet.
    pub fn news(&self) -> Option<News> {
        self.news.try_recv().ok()
    }

    /// The next news; `None` if there will be none.
    pub fn next_news(&self) -> Option<News> {
        self.news.recv().ok()
    }
}

impl Drop for Gathering {
    fn drop(&mut self) {
        // Its sources close with it: nothing stays loaded.
        self.wishes = None;
        let Some(thread) = self.thread.take() else {
            return;
        };
        // It may be reading what a process serves as slowly as it likes. Then it ends with us, and the kernel unloads what it holds.
        let give_up = Instant::now() + LAST_READING;
        while !thread.is_finished() && Instant::now() < give_up {
            thread::sleep(GLANCE);
        }
        if thread.is_finished() {
            let _ = thread.join();
        }
    }
}

/// Reads once an interval, and does what is wished in between; ends when nobody wishes any more.
fn gather(
    mut gatherer: Gatherer,
    length: Duration,
    folder: &std::path::Path,
    wishes: &Receiver<Wish>,
    news: &Sender<News>,
) {
    let tell = |interval: Interval| news.send(News::Interval(Box::new(interval))).is_ok();
    // What is known at once.
    if !tell(gatherer.next_interval()) {
        return;
    }
    let mut end = Instant::now() + length;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        match wishes.recv_timeout(left.min(LOOKS_APART)) {
            Ok(Wish::Choose(pid)) => {
                gatherer.choose(pid);
                if !tell(gatherer.next_interval()) {
                    return;
                }
                end = Instant::now() + length;
            }
            Ok(Wish::Save(pid)) => {
                if gatherer.chosen() != Some(pid) {
                    continue;
                }
                let saved = save(&mut gatherer, pid, folder);
                let saved = saved
                    .map(|path| shown(path.as_os_str()))
                    .map_err(|error| format!("{error:#}"));
                let _ = news.send(News::Saved(saved));
            }
            Err(RecvTimeoutError::Timeout) => gatherer.look(),
            Err(RecvTimeoutError::Disconnected) => return,
        }
        if Instant::now() >= end {
            if !tell(gatherer.next_interval()) {
                return;
            }
            // Where reading took longer than an interval, intervals are longer, not packed.
            end = (end + length).max(Instant::now());
        }
    }
}
