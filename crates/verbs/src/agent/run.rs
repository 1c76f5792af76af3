//! The verb: one thread reads the chosen programs, others answer requests, and this one waits until it is asked to stop.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::event::{Timespec, poll};

use super::published::Published;
use super::push::Pusher;
use super::request::Request;
use super::server::{self, Pages};
use super::watching::Watching;
use super::words;
use crate::agent::flags::AgentArgs;
use crate::present;
use locktoll_sources::ebpf::privileges::{Duty, keep_for};
use locktoll_terminal::failure::{Ending, Failure, Outcome};
use locktoll_terminal::interrupt::Interrupt;

/// Longest time between two looks at which programs are there. One that starts and ends in between is not seen.
const LOOK: Duration = Duration::from_secs(1);

/// How long to wait at the end for the thread that reads: it may be reading what a process serves as slowly as it likes. Then it ends with
/// this process, and the kernel unloads its programs.
const LAST_READING: Duration = Duration::from_secs(1);
const GLANCE: Duration = Duration::from_millis(5);

/// How often to see whether the thread that reads is still there.
const CHECK: Duration = Duration::from_secs(1);

/// Runs the verb.
pub fn run(args: &AgentArgs) -> Outcome {
    let mut request = Request::of(args)?;
    let interrupt = Interrupt::listen()?;
    let pages = Arc::new(Pages::default());
    let listener = request.listener.take();
    let textfile = request.textfile.clone();
    let (stop, stopped) = channel();
    let (begin, begun) = channel();
    let published = Published::new(Arc::clone(&pages), textfile.clone());
    let plan = request.push.take();
    let (send, pusher) = channel();
    let reader = thread::Builder::new().name("read".to_owned());
    let reader = reader.spawn(move || {
        // The other end is gone if nothing is to be pushed.
        let pusher = pusher.recv().ok();
        read(request, published, pusher, &begin, &stopped);
    })?;
    // The thread that reads keeps what it needs; those that talk to clients and servers need nothing.
    keep_for(&[]);
    if let Some(plan) = plan {
        let _ = send.send(Pusher::start(plan)?);
    }
    drop(send);
    if has_begun(&begun, &interrupt) {
        let address = listener.as_ref().and_then(|it| it.local_addr().ok());
        if let Some(listener) = listener {
            server::start(listener, &pages)?;
        }
        words::serving(address, textfile.as_deref());
        while !interrupt.requested() && !reader.is_finished() {
            pause(CHECK);
        }
    }
    end(stop, reader);
    match interrupt.requested() {
        true => Ok(Ending::Done),
        false => Err(Failure::Run(anyhow::anyhow!(
            "the thread that reads the programs has failed"
        ))),
    }
}

/// Waits for the first reading. Returns whether there is one.
fn has_begun(begun: &Receiver<()>, interrupt: &Interrupt) -> bool {
    while !interrupt.requested() {
        match begun.recv_timeout(GLANCE) {
            Ok(()) => return true,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
    false
}

/// Reads the programs and publishes the readings until the other end of `stopped` is gone.
fn read(
    request: Request,
    mut published: Published,
    mut pusher: Option<Pusher>,
    begin: &Sender<()>,
    stopped: &Receiver<()>,
) {
    let writing = present::duty(request.textfile.as_deref());
    let mut watching = Watching::begin(request.selection, request.max_series, pusher.is_some());
    watching.look();
    // The programs in the kernel are loaded anew after many processes have ended.
    let mut duties = vec![Duty::ReadOthers, Duty::OpenMapped, Duty::Load];
    duties.extend(writing);
    keep_for(&duties);
    published.publish(&mut watching, pusher.as_ref());
    // The other end is there as long as this thread is waited for.
    let _ = begin.send(());
    let mut due = Due::after(request.interval);
    let mut push_due = pusher.as_ref().map(|it| Due::after(it.every()));
    loop {
        let next = push_due.as_ref().map_or(due.at, |it| it.at.min(due.at));
        let left = next.saturating_duration_since(Instant::now());
        let is_over = stopped.recv_timeout(left.min(LOOK)) != Err(RecvTimeoutError::Timeout);
        if let Some(pusher) = &mut pusher {
            // At the end, what has happened since the last interval.
            let is_due = is_over || push_due.as_mut().is_some_and(Due::is_now);
            let intervals = match is_due {
                true => watching.intervals(),
                false => watching.ended(),
            };
            for (labels, interval) in &intervals {
                pusher.push(labels, interval);
            }
        }
        if is_over {
            return;
        }
        watching.look();
        if due.is_now() {
            published.publish(&mut watching, pusher.as_ref());
        }
    }
}

/// When something is due that happens at regular intervals.
struct Due {
    every: Duration,
    at: Instant,
}

impl Due {
    fn after(every: Duration) -> Self {
        Self {
            every,
            at: Instant::now() + every,
        }
    }

    /// Whether it is due now; if so, it is due next after an interval. If it takes longer than an interval, the intervals become longer instead
    /// of following without a pause.
    fn is_now(&mut self) -> bool {
        let now = Instant::now();
        let is_now = now >= self.at;
        if is_now {
            self.at = (self.at + self.every).max(now);
        }
        is_now
    }
}

/// Asks the thread that reads to end, and waits a moment for it, so that it leaves no unfinished file.
fn end(stop: Sender<()>, reader: JoinHandle<()>) {
    drop(stop);
    let give_up = Instant::now() + LAST_READING;
    while !reader.is_finished() && Instant::now() < give_up {
        thread::sleep(GLANCE);
    }
    if reader.is_finished() {
        let _ = reader.join();
    }
}

/// Sleeps, but wakes for a signal, unlike the standard library's sleep.
fn pause(time: Duration) {
    let timeout = Timespec {
        tv_sec: time.as_secs() as i64,
        tv_nsec: i64::from(time.subsec_nanos()),
    };
    // The only possible error is that a signal came, which is as good as the end.
    let _ = poll(&mut [], Some(&timeout));
}
