//! The places in `LOCKTOLL_ONLY`, and whether an object is at one of them.
//!
//! Reading the kernel's list of mappings takes time, so it is seldom read: only for an address with the same position in its
//! page as a wanted offset, which is true of one in 4096 other addresses. It is not read again for an address that was found,
//! or for the last address that was at another place. So a module that is loaded late is found, and so is one that is loaded
//! again at the same address.
//!
//! A variable that contains many locks is found once, when its file is mapped, and is expected to stay there: any address could
//! lie in it, and a program may make millions of locks. Until its file is mapped, the list is read for each new lock.
//!
//! # Invariants
//!
//! - **P1** Everything except the results is written before any exported name is used, and all threads that come that early
//!   write the same values.

use core::ffi::CStr;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize};

use super::line::{Kind, parse};
use super::mapped;

/// The greatest number of places.
const MOST: usize = 64;

/// The greatest length of all lines together.
const TEXT_BYTES: usize = 64 * 1024;

/// The bits of an address that loading a file does not change.
const IN_PAGE: u64 = 4095;

struct Place {
    is_site: AtomicBool,
    offset: AtomicU64,
    /// The size of a variable that contains many locks, or zero.
    bytes: AtomicU64,
    /// The position of the path in [`TEXT`].
    path: [AtomicUsize; 2],
    /// The last address that was found to be this place; where the variable begins.
    found: AtomicU64,
    /// The last address that was found to be another.
    other: AtomicU64,
}

static PLACES: [Place; MOST] = [const {
    Place {
        is_site: AtomicBool::new(false),
        offset: AtomicU64::new(0),
        bytes: AtomicU64::new(0),
        path: [const { AtomicUsize::new(0) }; 2],
        found: AtomicU64::new(0),
        other: AtomicU64::new(0),
    }
}; MOST];

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// A copy of the variable: programs overwrite their environment.
static TEXT: [AtomicU8; TEXT_BYTES] = [const { AtomicU8::new(0) }; TEXT_BYTES];

/// Whether only some locks are to be replaced.
pub fn is_on() -> bool {
    // Relaxed, here and below: P1.
    COUNT.load(Relaxed) != 0
}

/// Reads the variable's value. Returns `false` if it is not understood, or names too many places; then nothing may be
/// replaced.
pub fn read(value: &CStr) -> bool {
    let text = value.to_bytes();
    if text.len() > TEXT_BYTES {
        return false;
    }
    for (byte, copy) in text.iter().zip(&TEXT) {
        copy.store(*byte, Relaxed);
    }
    let (mut begin, mut count) = (0, 0);
    for bytes in text.split(|byte| *byte == b'\n') {
        if !bytes.is_empty() {
            let (Some(line), Some(place)) = (parse(bytes), PLACES.get(count)) else {
                return false;
            };
            let within = match line.kind {
                Kind::Within(bytes) => bytes,
                Kind::Object | Kind::Site => 0,
            };
            place.bytes.store(within, Relaxed);
            let path = begin + bytes.iter().position(|byte| *byte == b':').unwrap_or(0) + 1;
            place.is_site.store(line.kind == Kind::Site, Relaxed);
            place.offset.store(line.offset, Relaxed);
            place.path[0].store(path, Relaxed);
            place.path[1].store(path + line.path.len(), Relaxed);
            count += 1;
        }
        begin += bytes.len() + 1;
    }
    COUNT.store(count, Relaxed);
    count > 0
}

/// Whether the lock at `object`, initialised or first acquired by the call that returns to `site`, is asked for.
pub fn is_asked_for(object: usize, site: usize) -> bool {
    PLACES[..COUNT.load(Relaxed)].iter().any(|place| {
        let is_site = place.is_site.load(Relaxed);
        place.is_at(if is_site { site } else { object } as u64)
    })
}

impl Place {
    fn is_at(&self, address: u64) -> bool {
        let offset = self.offset.load(Relaxed);
        let bytes = self.bytes.load(Relaxed);
        if bytes != 0 {
            return self
                .variable(offset)
                .is_some_and(|start| (start..start.saturating_add(bytes)).contains(&address));
        }
        if (address ^ offset) & IN_PAGE != 0 || self.other.load(Relaxed) == address {
            return false;
        }
        if self.found.load(Relaxed) == address {
            return true;
        }
        let is_it = mapped::is_at(self.path(), offset, address);
        // Relaxed: the two answers are independent.
        if is_it { &self.found } else { &self.other }.store(address, Relaxed);
        is_it
    }

    /// Returns where the variable at `offset` begins, if its file is mapped.
    fn variable(&self, offset: u64) -> Option<u64> {
        // Relaxed: all threads find the same address.
        match self.found.load(Relaxed) {
            0 => {
                let start = mapped::load_address(self.path())?.wrapping_add(offset);
                self.found.store(start, Relaxed);
                Some(start)
            }
            start => Some(start),
        }
    }

    /// Returns the path, byte by byte.
    fn path(&self) -> impl Fn(usize) -> Option<u8> {
        let [begin, end] = [0, 1].map(|side| self.path[side].load(Relaxed));
        move |index: usize| (begin + index < end).then(|| TEXT[begin + index].load(Relaxed))
    }
}

/// Places belong to the process, so that only one test at a time may set any.
#[cfg(test)]
static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// Asks for the locks at these addresses of the test program, and for no others, during `work`. Without addresses, no lock is
/// distinguished from others.
#[cfg(test)]
pub fn while_asked_for(objects: &[usize], work: impl FnOnce()) {
    let one = ONE_AT_A_TIME.lock();
    let (path, base) = tests::path_and_base();
    let line = |object: &usize| format!("object:{path}:{}\n", object - base);
    let value: String = objects.iter().map(line).collect();
    for place in &PLACES {
        place.found.store(0, Relaxed);
        place.other.store(0, Relaxed);
    }
    let is_some_place = read(&std::ffi::CString::new(value).unwrap());
    assert_eq!(is_some_place, !objects.is_empty());
    work();
    COUNT.store(0, Relaxed);
    drop(one);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the path of the test program, and the address where it is loaded.
    pub fn path_and_base() -> (String, usize) {
        let path = std::env::current_exe().unwrap().canonicalize().unwrap();
        let path = path.into_os_string().into_string().unwrap();
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let line = maps.lines().find(|line| line.ends_with(&path)).unwrap();
        let base = usize::from_str_radix(line.split('-').next().unwrap(), 16).unwrap();
        (path, base)
    }

    #[test]
    fn places_are_found_by_object_and_by_site() {
        static OBJECT: u64 = 1;
        static OTHER: [u64; 1024] = [2; 1024];
        let one = ONE_AT_A_TIME.lock();
        let (path, base) = path_and_base();
        let object = (&raw const OBJECT).addr();
        let other = (&raw const OTHER).addr();
        let site = places_are_found_by_object_and_by_site as fn() as usize;

        for wrong in [c"", c"\n", c"object:/a:1\nnonsense", c"object:/a"] {
            assert!(!read(wrong), "{wrong:?}");
        }
        let too_many = "site:/a:1\n".repeat(MOST + 1);
        assert!(!read(&std::ffi::CString::new(too_many).unwrap()));
        assert!(!is_on());
        let of_length = |bytes: usize| {
            let path = "a".repeat(bytes - "site:/:1".len());
            read(&std::ffi::CString::new(format!("site:/{path}:1")).unwrap())
        };
        assert!(of_length(TEXT_BYTES) && !of_length(TEXT_BYTES + 1));
        assert!(!of_length(2 * TEXT_BYTES));

        let value = format!(
            "object:{path}:{:#x}\n\nsite:{path}:{}\n",
            object - base,
            site - base
        );
        assert!(read(&std::ffi::CString::new(value).unwrap()));
        assert!(is_on());
        for _ in 0..2 {
            assert!(is_asked_for(object, 0));
            assert!(is_asked_for(0, site));
            assert!(!is_asked_for(site, object), "each for what it is");
            assert!(!is_asked_for(other, 0));
            assert!(
                !is_asked_for(object + 4096, 0),
                "the same place in another page"
            );
        }
        COUNT.store(0, Relaxed);
        drop(one);
    }

    #[test]
    fn all_of_a_variable_is_asked_for() {
        static MANY: [u64; 1024] = [3; 1024];
        let one = ONE_AT_A_TIME.lock();
        let (path, base) = path_and_base();
        let (start, bytes) = ((&raw const MANY).addr(), size_of_val(&MANY));
        let value = format!(
            "within:/no/such/file:0:8\nwithin:{path}:{:#x}:{bytes}\n",
            start - base
        );
        for place in &PLACES {
            place.found.store(0, Relaxed);
        }
        assert!(read(&std::ffi::CString::new(value).unwrap()));
        for _ in 0..2 {
            for inside in [start, start + 40, start + bytes - 1] {
                assert!(is_asked_for(inside, 0));
            }
            for outside in [start - 1, start + bytes, 0] {
                assert!(!is_asked_for(outside, start), "{outside:#x}");
            }
        }
        COUNT.store(0, Relaxed);
        drop(one);
    }
}
