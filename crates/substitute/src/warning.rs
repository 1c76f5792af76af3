//! The message to the user if nothing can be replaced: one line on standard error, once per process.
//!
//! It is written when the library is loaded, or at the very first call: without the C library, whose functions may not be
//! ready yet, without allocating memory, and only if standard error accepts it at once. If no process reads the program's
//! standard error any more, this library must neither kill the program (`SIGPIPE`) nor delay it.

use core::ffi::CStr;
use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::BorrowedFd;
use rustix::io::write;

use crate::candidate::Unknown;

/// The rest of a longer name is left out.
const MOST_OF_NAME: usize = 64;

/// Room for the longest line.
const LONGEST: usize = 256;

/// Whether it has been written: the library may start twice.
static SAID: AtomicBool = AtomicBool::new(false);

/// Reports that `name`, from the environment, is not a candidate.
pub fn unknown(name: &CStr, why: Unknown) {
    // Relaxed: it publishes nothing, and one of several exchanges comes first.
    if SAID.swap(true, Relaxed) {
        return;
    }
    let mut line = Line::new();
    line.unknown(name.to_bytes(), why);
    say(&line);
}

fn say(line: &Line) {
    // SAFETY: the number is standard error in every process. It is used only during these two calls, which fail if it is
    // closed.
    let stderr = unsafe { BorrowedFd::borrow_raw(libc::STDERR_FILENO) };
    let mut ready = [PollFd::new(&stderr, PollFlags::OUT)];
    let at_once = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    if poll(&mut ready, Some(&at_once)).is_err() || ready[0].revents() != PollFlags::OUT {
        return;
    }
    // A single call, so that lines of several processes do not mix. If this fails, there is nowhere else to report it.
    let _ = write(stderr, line.bytes());
}

/// A line that is being composed.
struct Line {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Line {
    fn new() -> Self {
        Self {
            bytes: [0; LONGEST],
            length: 0,
        }
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    fn unknown(&mut self, name: &[u8], why: Unknown) {
        self.add(b"locktoll: LOCKTOLL_LOCK=");
        for byte in &name[..name.len().min(MOST_OF_NAME)] {
            // Nothing that a terminal would interpret.
            let is_shown = byte.is_ascii_graphic() || *byte == b' ';
            self.add(if is_shown {
                core::slice::from_ref(byte)
            } else {
                b"?"
            });
        }
        if name.len() > MOST_OF_NAME {
            self.add(b"...");
        }
        self.add(match why {
            Unknown::Name => b": there is no such lock".as_slice(),
            Unknown::TakesNoParameter(_) => b": this lock takes no number",
            Unknown::Parameter { .. } => b": no number that this lock takes",
        });
        self.add(
            b"; the program's locks stay as they are (`locktoll try --list` names what there is)\n",
        );
    }

    /// Adds `text`. What does not fit is left out.
    fn add(&mut self, text: &[u8]) {
        let length = text.len().min(LONGEST - self.length);
        self.bytes[self.length..][..length].copy_from_slice(&text[..length]);
        self.length += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line_of(name: &[u8], why: Unknown) -> String {
        let mut line = Line::new();
        line.unknown(name, why);
        String::from_utf8(line.bytes().to_vec()).expect("plain text")
    }

    #[test]
    fn a_line_names_what_was_given_and_what_follows_from_it() {
        assert_eq!(
            line_of(b"tikcet", Unknown::Name),
            "locktoll: LOCKTOLL_LOCK=tikcet: there is no such lock; the program's locks stay as they are \
             (`locktoll try --list` names what there is)\n"
        );
    }

    #[test]
    fn the_longest_line_fits_and_obeys_no_terminal() {
        let name = [b"\x1b[2J\xff\n".as_slice(), &[b'x'; 500]].concat();
        let reasons = [
            Unknown::Name,
            Unknown::TakesNoParameter("ticket"),
            Unknown::Parameter {
                name: "futex3",
                least: 0,
                most: 1,
            },
        ];
        for why in reasons {
            let line = line_of(&name, why);
            assert!(
                line.contains("=?[2J??xxx") && line.contains("x...: "),
                "{line}"
            );
            assert!(line.ends_with("names what there is)\n"), "{line}");
            assert_eq!(line.matches('\n').count(), 1, "{line}");
        }
    }
}
