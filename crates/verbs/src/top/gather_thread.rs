//! The thread that reads the sources: looking up names may take longer than a user waits for a key.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::groups::Cgroup;
use crate::present;
use crate::top::{Gatherer, Trouble, save};
use locktoll_results::top::Interval;
use locktoll_terminal::escape::shown;

/// The screen's requests.
enum Wish {
    Choose(Option<u32>),
    Save(u32),
}

/// The thread's answers.
pub enum News {
    /// The sources are open.
    Started,
    /// The sources could not be opened, and why.
    Refused(Trouble),
    /// An interval has ended.
    Interval(Box<Interval>),
    /// A profile was saved, or could not be.
    Saved(Result<String, String>),
}

/// The other thread, as the screen sees it.
pub struct Gathering {
    wishes: Option<Sender<Wish>>,
    news: Receiver<News>,
    thread: Option<JoinHandle<()>>,
}

/// Least time between two looks within an interval.
const LOOKS_APART: Duration = Duration::from_millis(100);

/// How long to wait at the end for the other thread's last reading.
const LAST_READING: Duration = Duration::from_secs(2);
const GLANCE: Duration = Duration::from_millis(5);

impl Gathering {
    /// Starts the thread. The first news says whether the sources could be opened.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn start(
        pid: Option<u32>,
        group: Option<Cgroup>,
        interval: Duration,
        folder: PathBuf,
    ) -> std::io::Result<Self> {
        let (wishes, to_do) = channel();
        let (to_tell, news) = channel();
        let thread = thread::Builder::new()
            .name("gather".to_owned())
            .spawn(move || {
                // The sources are created where they are used, so that their contents stay on one thread.
                match Gatherer::start(pid, group) {
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

    /// Chooses a program to look into, or all of them.
    pub fn choose(&self, pid: Option<u32>) {
        self.wish(Wish::Choose(pid));
    }

    /// Saves the data collected about a program.
    pub fn save(&self, pid: u32) {
        self.wish(Wish::Save(pid));
    }

    fn wish(&self, wish: Wish) {
        if let Some(wishes) = &self.wishes {
            // The thread ends only when we drop the sender.
            let _ = wishes.send(wish);
        }
    }

    /// Returns the next news, if there is any yet.
    pub fn news(&self) -> Option<News> {
        self.news.try_recv().ok()
    }

    /// Waits for the next news; `None` if there will be none.
    pub fn next_news(&self) -> Option<News> {
        self.news.recv().ok()
    }
}

impl Drop for Gathering {
    fn drop(&mut self) {
        // The thread closes its sources when it ends: nothing stays loaded.
        self.wishes = None;
        let Some(thread) = self.thread.take() else {
            return;
        };
        // It may be reading a file that a process serves as slowly as it likes. Then it ends with us, and the kernel unloads its
        // programs.
        let give_up = Instant::now() + LAST_READING;
        while !thread.is_finished() && Instant::now() < give_up {
            thread::sleep(GLANCE);
        }
        if thread.is_finished() {
            let _ = thread.join();
        }
    }
}

/// Reads once per interval and carries out requests in between; ends when the sender is gone.
fn gather(
    mut gatherer: Gatherer,
    length: Duration,
    folder: &std::path::Path,
    wishes: &Receiver<Wish>,
    news: &Sender<News>,
) {
    let tell = |interval: Interval| news.send(News::Interval(Box::new(interval))).is_ok();
    // The data that is known at once.
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
            // If reading took longer than an interval, the intervals become longer instead of following without a pause.
            end = (end + length).max(Instant::now());
        }
    }
}
