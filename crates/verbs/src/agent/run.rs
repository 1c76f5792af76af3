//! The verb: reads the chosen programs until it is asked to stop.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::exposition::Format;
use super::request::Request;
use super::server::{self, Pages};
use super::watching::Watching;
use super::{text_file, words};
use crate::agent::flags::AgentArgs;
use crate::present;
use rustix::event::{Timespec, poll};

use locktoll_sources::ebpf::privileges::{Duty, keep_for};
use locktoll_terminal::failure::{Ending, Failure, Outcome};
use locktoll_terminal::interrupt::Interrupt;

/// Longest time between two looks at which programs are there. One that starts and ends in between is not seen.
const LOOK: Duration = Duration::from_secs(1);

/// Runs the verb.
pub fn run(args: &AgentArgs) -> Outcome {
    let request = Request::of(args)?;
    let interrupt = Interrupt::listen_to_end()?;
    let mut watching = Watching::begin(request.selection, request.max_series);
    watching.look();
    // What is left allows watching through the kernel anew, which happens after many processes have ended.
    let mut duties = vec![Duty::ReadOthers, Duty::OpenMapped, Duty::Load];
    duties.extend(present::duty(request.textfile.as_deref()));
    keep_for(&duties);
    let pages = Arc::new(Pages::default());
    let address = request
        .listener
        .as_ref()
        .and_then(|it| it.local_addr().ok());
    let mut published = Published {
        pages: Arc::clone(&pages),
        textfile: request.textfile,
        readings: 0,
        is_failing: false,
    };
    published.publish(&mut watching);
    if let Some(listener) = request.listener {
        server::start(listener, &pages)?;
    }
    words::serving(address, published.textfile.as_deref());
    let mut due = Instant::now() + request.interval;
    while pause(
        &interrupt,
        due.saturating_duration_since(Instant::now()).min(LOOK),
    ) {
        watching.look();
        if Instant::now() >= due {
            published.publish(&mut watching);
            // If reading takes longer than an interval, the intervals become longer instead of following without a pause.
            due = (due + request.interval).max(Instant::now());
        }
    }
    Ok(Ending::Done)
}

/// Sleeps, but wakes for a signal, unlike the standard library's sleep. Returns whether to go on.
fn pause(interrupt: &Interrupt, time: Duration) -> bool {
    let timeout = Timespec {
        tv_sec: time.as_secs() as i64,
        tv_nsec: i64::from(time.subsec_nanos()),
    };
    if !interrupt.requested() {
        // The only possible error is that a signal came, which is as good as the end.
        let _ = poll(&mut [], Some(&timeout));
    }
    !interrupt.requested()
}

/// Where readings go.
struct Published {
    pages: Arc<Pages>,
    textfile: Option<std::path::PathBuf>,
    readings: u64,
    /// Whether the file could not be written the last time, so that it is said once.
    is_failing: bool,
}

impl Published {
    fn publish(&mut self, watching: &mut Watching) {
        let began = Instant::now();
        let mut figures = watching.read();
        self.readings += 1;
        (figures.readings, figures.reading) = (self.readings, began.elapsed());
        self.pages.publish(figures);
        let written = self.write();
        if let (Err(why), false) = (&written, self.is_failing) {
            words::not_written(why);
        }
        self.is_failing = written.is_err();
    }

    fn write(&self) -> Result<(), Failure> {
        let Some(path) = &self.textfile else {
            return Ok(());
        };
        let parts = self
            .pages
            .metrics(Format::Prometheus)
            .map_err(anyhow::Error::from)?;
        let text: Vec<u8> = parts.concat();
        text_file::write(path, &text)
    }
}
