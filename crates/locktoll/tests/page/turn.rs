//! Whose turn it is: tests have the browser one after the other, since browsers are heavy and the machine has other work.
//!
//! Starting one takes longer than most tests, so that it goes on to the next test that waits for it. The last ends it.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::browser::Browser;

static BROWSER: Mutex<Option<Browser>> = Mutex::new(None);

/// Tests that have the browser or wait for it.
static WANTED_BY: AtomicUsize = AtomicUsize::new(0);

/// The browser, for one test.
pub struct Turn(MutexGuard<'static, Option<Browser>>);

impl Turn {
    /// Waits for the browser of the tests before; `start` gives one where these have left none.
    pub(super) fn take(start: impl FnOnce() -> Browser) -> Self {
        // Relaxed, here and below: the mutex orders what the tests do with the browser; of this number nothing depends but whether
        // the next one starts a browser of its own.
        WANTED_BY.fetch_add(1, Relaxed);
        let mut browser = BROWSER.lock().unwrap_or_else(PoisonError::into_inner);
        browser.get_or_insert_with(start);
        Self(browser)
    }
}

impl Deref for Turn {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        self.0.as_ref().expect("there until the turn ends")
    }
}

impl DerefMut for Turn {
    fn deref_mut(&mut self) -> &mut Browser {
        self.0.as_mut().expect("there until the turn ends")
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let is_last = WANTED_BY.fetch_sub(1, Relaxed) == 1;
        // Whatever a test has failed over, the next must not meet.
        if is_last || std::thread::panicking() {
            *self.0 = None;
        } else {
            self.clear();
        }
    }
}
