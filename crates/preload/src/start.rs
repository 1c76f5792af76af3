//! The beginning and the end of a recorded process image.

use locktoll_recording::layout::Header;

use crate::attachment;
use crate::blame;
use crate::failure;
use crate::lives;
use crate::recorder::{Recorder, State};
use crate::sys::{self, Errno};
use crate::text::Text;

/// Starts recording before main, unless a lock taken even earlier has already started it.
#[cfg_attr(
    test,
    expect(dead_code, reason = "the test harness must not record itself")
)]
extern "C" fn constructor() {
    // The main thread is recorded even if it takes no lock.
    if let Some(recorder) = Recorder::running() {
        attachment::attach(recorder);
    }
}

/// Returns the header of this process's part, if it has one.
pub fn header() -> Option<&'static Header> {
    match Recorder::state() {
        State::On(part) | State::Shut(part) => part.header(),
        State::New | State::Off => None,
    }
}

extern "C" fn destructor() {
    note_end();
}

/// Notes the end, and reports on stderr if something was lost.
pub fn note_end() {
    match Recorder::state() {
        State::On(part) => {
            blame::enter_callers_kept_back();
            lives::note_all();
            part.end();
            if let Some(errno) = part.stopped_by() {
                say(b"recording stopped before the program ended", errno);
            }
        }
        // It does not even report this: the process that started the program reads it in the header.
        State::Shut(part) => part.end_quietly(),
        State::Off => {
            if let Some(Errno(errno)) = failure::noted() {
                say(b"nothing could be recorded", errno);
            }
        }
        // The child of a fork that took no lock has nothing to report and needs no part.
        State::New => {}
    }
}

fn say(what: &[u8], errno: i32) {
    let mut line = Text::<160>::default();
    line.push(b"locktoll: ");
    line.push(what);
    line.push(b": ");
    match words(errno) {
        Some(words) => line.push(words),
        None => {
            line.push(b"error ");
            line.push_number(u64::from(errno.unsigned_abs()));
        }
    }
    line.push(b"; the program itself was not affected\n");
    // A single write, so that lines of several processes do not mix.
    sys::write_stderr(line.written());
}

/// Returns a text for the errno(3) values that a disk or a folder causes. (strerror(3) may take locks.)
fn words(errno: i32) -> Option<&'static [u8]> {
    Some(match errno {
        2 => b"No such file or directory",
        13 => b"Permission denied",
        27 => b"File too large",
        28 => b"No space left on device",
        30 => b"Read-only file system",
        122 => b"Disk quota exceeded",
        _ => return None,
    })
}

#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".init_array")]
static CONSTRUCTOR: extern "C" fn() = constructor;

#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".fini_array")]
static DESTRUCTOR: extern "C" fn() = destructor;
