//! The metrics as they are served.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hyper::body::Bytes;

use crate::agent::exposition::Format;
use crate::agent::figures::Figures;

/// The last reading, and its text as far as somebody has asked for it. Many scrapes of one reading share one text.
#[derive(Default)]
pub struct Pages {
    present: Mutex<Present>,
}

#[derive(Default)]
struct Present {
    figures: Arc<Figures>,
    open_metrics: Option<Bytes>,
    prometheus: Option<Bytes>,
    last_scrape: Duration,
}

impl Pages {
    /// Publishes a reading.
    pub fn publish(&self, figures: Figures) {
        let mut present = self.present();
        *present = Present {
            figures: Arc::new(figures),
            last_scrape: present.last_scrape,
            ..Present::default()
        };
    }

    /// Notes how long an answer took.
    pub fn note_scrape(&self, took: Duration) {
        self.present().last_scrape = took;
    }

    /// Returns the metrics in two parts, one after the other: those of the programs, and those of the agent.
    ///
    /// # Errors
    /// As [`Format::of_programs`].
    pub fn metrics(&self, format: Format) -> Result<[Bytes; 2], std::fmt::Error> {
        let mut present = self.present();
        let figures = Arc::clone(&present.figures);
        let last_scrape = present.last_scrape.as_secs_f64();
        let text = match format {
            Format::OpenMetrics => &mut present.open_metrics,
            Format::Prometheus => &mut present.prometheus,
        };
        let programs = match text {
            Some(text) => text.clone(),
            None => text.insert(format.of_programs(&figures)?.into()).clone(),
        };
        drop(present);
        Ok([programs, format.of_agent(&figures, last_scrape)?.into()])
    }

    /// A thread that panicked while it wrote a text has left the figures as they were.
    fn present(&self) -> MutexGuard<'_, Present> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
