//! The function by which a thread entered the C library, if that function is not on the stack any more.
//!
//! `sem_wait` jumps to a function without a name in the dynamic symbol table, and so do the acquisitions of timed, robust and
//! priority-inheriting mutexes. The stack then has no name that says what the thread waits for. The instruction before the
//! caller's return address does: it calls `sem_wait`, by way of the procedure linkage table (System V ABI, AMD64 supplement, 5.2).
//!
//! Under `locktoll try` and `whatif`, that is the `sem_wait` of the library that they load. It goes on to the C library's function
//! of the same name where it leaves the object to the C library.

use super::facts::{Entered, Seen};
use super::space::{ONLY, Space};
use super::substituted::is_path_of_try;
use crate::futexes::{Processor, Spot};
use locktoll_results::profile::Frame;

/// Notes for each thread the function by which it entered the innermost library.
pub fn note(space: &Space, threads: &mut [Seen]) {
    for thread in threads {
        thread.entered = entered(space, &thread.addresses);
    }
}

fn entered(space: &Space, addresses: &[u64]) -> Option<Entered> {
    if space.processor() != Processor::OWN {
        return None;
    }
    let innermost = file(space, *addresses.first()?)?;
    let outside = |&at: &u64| file(space, at) != Some(innermost);
    let before = addresses.iter().position(outside)?;
    let is_of_try = |at: u64| file(space, at).is_some_and(|it| is_substitute(space, it));
    let mut callers = addresses[before..].iter();
    let caller = callers.find(|&&at| !is_of_try(at))?;
    // A return address comes after the function's first byte.
    let at = called(space, *caller)?.checked_add(1)?;
    let is_named_alike = is_of_try(at);
    (is_named_alike || file(space, at) == Some(innermost)).then_some(Entered {
        before,
        address: at,
        is_named_alike,
    })
}

fn is_substitute(space: &Space, file: usize) -> bool {
    let files = space.processes.files().all();
    files
        .get(file)
        .is_some_and(|it| is_path_of_try(&it.path.to_string_lossy()))
}

/// Returns the functions of a thread's stack. The one by which it entered the innermost library is added if that library's own
/// functions have no names.
pub fn with_names(seen: &Seen, frames_of: impl Fn(u64) -> Vec<Frame>) -> Vec<Frame> {
    let mut all = Vec::new();
    for (index, &address) in seen.addresses.iter().enumerate() {
        let is_nameless = all.iter().all(|it: &Frame| it.function.is_none());
        if let Some(entered) = seen.entered.filter(|it| it.before == index && is_nameless) {
            let library = all.first().and_then(|it: &Frame| it.module.clone());
            let mut frames = frames_of(entered.address);
            if entered.is_named_alike {
                frames = frames
                    .pop()
                    .map(|it| of_library(it, library))
                    .into_iter()
                    .collect();
            }
            all.extend(frames);
        }
        all.extend(frames_of(address));
    }
    all
}

/// Returns the function of that name in `library`.
fn of_library(named: Frame, library: Option<String>) -> Frame {
    Frame {
        function: named.function,
        module: library,
        ..Frame::default()
    }
}

/// Returns the file of the call that returns to `address`, by its number.
fn file(space: &Space, address: u64) -> Option<usize> {
    match space.processes.spot(ONLY, address.wrapping_sub(1)) {
        Spot::File(place) => Some(place.file),
        Spot::Vdso(_) | Spot::Anonymous => None,
    }
}

/// Returns the function that the call before `address` calls.
#[cfg(target_arch = "x86_64")]
fn called(space: &Space, address: u64) -> Option<u64> {
    let mut call = [0; 6];
    space
        .read(address.checked_sub(6)?, &mut call)
        .then_some(())?;
    match call {
        // call *offset(%rip)
        [0xff, 0x15, ..] => space.long(relative(address, call[2..].try_into().ok()?)),
        // call offset
        [_, 0xe8, ..] => {
            let target = relative(address, call[2..].try_into().ok()?);
            Some(through_linkage_table(space, target).unwrap_or(target))
        }
        _ => None,
    }
}

/// On other processors the call is not followed, and the kind of wait stays unknown.
#[cfg(not(target_arch = "x86_64"))]
fn called(_space: &Space, _address: u64) -> Option<u64> {
    None
}

/// Returns the target of the jump at `address`, if it is an entry of a procedure linkage table.
#[cfg(target_arch = "x86_64")]
fn through_linkage_table(space: &Space, address: u64) -> Option<u64> {
    const ENDBR64: [u8; 4] = [0xf3, 0x0f, 0x1e, 0xfa];
    let mut entry = [0; 11];
    space.read(address, &mut entry).then_some(())?;
    let mut at = if entry.starts_with(&ENDBR64) { 4 } else { 0 };
    // The prefix of MPX.
    if entry[at] == 0xf2 {
        at += 1;
    }
    // jmp *offset(%rip)
    let offset = entry[at..].strip_prefix(&[0xff, 0x25])?.first_chunk()?;
    space.long(relative(address + at as u64 + 6, *offset))
}

#[cfg(target_arch = "x86_64")]
fn relative(end: u64, offset: [u8; 4]) -> u64 {
    end.wrapping_add_signed(i64::from(i32::from_le_bytes(offset)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(function: Option<&str>, module: &str) -> Frame {
        Frame {
            function: function.map(str::to_owned),
            module: Some(module.to_owned()),
            ..Frame::default()
        }
    }

    fn seen(is_named_alike: bool) -> Seen {
        Seen {
            tid: 1,
            own_tid: 1,
            name: String::new(),
            call: None,
            file: None,
            registers: None,
            addresses: vec![10, 20],
            entered: Some(Entered {
                before: 1,
                address: 30,
                is_named_alike,
            }),
            cut: None,
        }
    }

    #[test]
    fn a_library_without_names_gets_that_of_its_entry() {
        let libc = "/lib/libc.so.6";
        let substitute = "/tmp/liblocktoll_substitute-1.so";
        for (is_named_alike, entry) in [(false, libc), (true, substitute)] {
            let names = with_names(&seen(is_named_alike), |address| match address {
                10 => vec![frame(None, libc)],
                20 => vec![frame(Some("main"), "/opt/app")],
                _ => vec![frame(Some("sem_wait"), entry)],
            });
            let expected = [
                frame(None, libc),
                frame(Some("sem_wait"), libc),
                frame(Some("main"), "/opt/app"),
            ];
            assert_eq!(names, expected);
        }
    }

    #[test]
    fn a_library_with_names_needs_no_other() {
        let names = with_names(&seen(true), |address| {
            vec![frame(Some(&format!("f{address}")), "/lib/libc.so.6")]
        });
        let names: Vec<&str> = names
            .iter()
            .filter_map(|it| it.function.as_deref())
            .collect();
        assert_eq!(names, ["f10", "f20"]);
    }
}
