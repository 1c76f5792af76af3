//! Where readings go.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::exposition::Format;
use super::push::Pusher;
use super::server::Pages;
use super::watching::Watching;
use super::{text_file, words};
use locktoll_terminal::failure::Failure;

/// The pages that are served, and the file.
pub struct Published {
    pages: Arc<Pages>,
    textfile: Option<PathBuf>,
    readings: u64,
    /// Whether the file could not be written the last time, so that it is said once.
    is_failing: bool,
}

impl Published {
    /// Publishes nothing yet.
    pub fn new(pages: Arc<Pages>, textfile: Option<PathBuf>) -> Self {
        Self {
            pages,
            textfile,
            readings: 0,
            is_failing: false,
        }
    }

    /// Reads the programs, and publishes what was read.
    pub fn publish(&mut self, watching: &mut Watching, pusher: Option<&Pusher>) {
        let began = Instant::now();
        let mut figures = watching.read();
        self.readings += 1;
        (figures.readings, figures.reading) = (self.readings, began.elapsed());
        figures.pushed = pusher.map(Pusher::counts).unwrap_or_default();
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
        let parts = self.pages.metrics(Format::Prometheus);
        let parts = parts.map_err(anyhow::Error::from)?;
        text_file::write(path, &parts.concat())
    }
}
