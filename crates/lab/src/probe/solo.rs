//! A batch by one thread.

use std::io;
use std::sync::mpsc;
use std::time::Duration;

use super::scheduling::Rank;
use super::series::Batch;
use super::session::{Mark, Session};

/// A batch takes milliseconds; one that takes this long hangs.
pub(super) const HUNG_AFTER: Duration = Duration::from_secs(3);

impl Session<'_> {
    /// Times `units` calls of the closure that `prepare` returns, in a separate thread on the home CPU, and counts the thread's
    /// switches.
    ///
    /// # Errors
    /// A sentence that says why `prepare` or a call failed, or that it hung.
    pub fn solo<B>(
        &self,
        units: u64,
        prepare: impl FnOnce() -> Result<B, String> + Send + 'static,
    ) -> Result<Batch, String>
    where
        B: FnMut() -> io::Result<()>,
    {
        let seat = self.seat(self.home_cpu(), Rank::Measured);
        let (report, result) = mpsc::channel();
        // Detached, not joined: a call that hangs must not hang the whole list.
        std::thread::spawn(move || {
            let run = || {
                seat.take()?;
                let mut body = prepare()?;
                timed(units, &mut body).map_err(|error| error.to_string())
            };
            // The receiver may already be gone.
            let _ = report.send(run());
        });
        result
            .recv_timeout(HUNG_AFTER)
            .unwrap_or_else(|_| Err("gave no answer within 3 s".into()))
    }
}

/// Runs a tenth of the units as warm-up, then the timed batch.
fn timed(units: u64, body: &mut impl FnMut() -> io::Result<()>) -> io::Result<Batch> {
    for _ in 0..units / 10 + 1 {
        body()?;
    }
    let mark = Mark::open();
    for _ in 0..units {
        body()?;
    }
    let (ns, counted) = mark.close();
    Ok(Batch {
        units,
        ns: ns / units as f64,
        switches: counted.per(units),
    })
}
