//! The browsers of the tests. Starting a browser takes longer than most tests, so a test takes one that another has left, and
//! there are never more browsers than tests that run at the same time. The last test ends them.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::browser::Browser;

struct Browsers {
    idle: Vec<Browser>,
    in_use: usize,
}

static BROWSERS: Mutex<Browsers> = Mutex::new(Browsers {
    idle: Vec::new(),
    in_use: 0,
});

fn browsers() -> MutexGuard<'static, Browsers> {
    BROWSERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A browser, for one test.
pub struct Turn(Option<Browser>);

impl Turn {
    /// Takes a browser that another test has left; `start` makes one where there is none.
    pub(super) fn take(start: impl FnOnce() -> Browser) -> Self {
        let mut browsers = browsers();
        browsers.in_use += 1;
        let left = browsers.idle.pop();
        drop(browsers);
        Self(Some(left.unwrap_or_else(start)))
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
        // Whatever a test has failed over, the next must not meet.
        let mut clean = self.0.take().filter(|_| !std::thread::panicking());
        if let Some(browser) = &mut clean {
            browser.clear();
        }
        let mut browsers = browsers();
        browsers.in_use -= 1;
        browsers.idle.extend(clean);
        let ended = match browsers.in_use {
            0 => std::mem::take(&mut browsers.idle),
            _ => Vec::new(),
        };
        drop(browsers);
        drop(ended);
    }
}
