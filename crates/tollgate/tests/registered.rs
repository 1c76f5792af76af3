//! A Tollgate on areas for restartable sequences that this program registers itself (rseq(2)), in place of the C library: in the
//! original way, and with the size of the features, as C libraries do for Linux 7.0. Each test runs itself again in a process of
//! its own, in which the C library registers none.
#![cfg(all(not(locktoll_loom), target_os = "linux", target_arch = "x86_64"))]

mod own_process;
mod registered_areas;
mod stepped_release;

use locktoll_waiting::RawLock;
use own_process::{contend, in_a_process, last_releases};
use registered_areas::{Registration, begin, feature_bytes, has_membarrier, is_registered};
use tollgate::RawMutex;

/// A Tollgate whose threads register their areas when they first use it.
struct Registered(RawMutex);

// SAFETY: as the lock inside.
unsafe impl RawLock for Registered {
    fn new() -> Self {
        Self(RawMutex::new())
    }

    fn lock(&self) {
        registered_areas::register();
        self.0.lock();
    }

    fn try_lock(&self) -> bool {
        registered_areas::register();
        self.0.try_lock()
    }

    unsafe fn unlock(&self) {
        // SAFETY: the caller's promise.
        unsafe { self.0.unlock() };
    }

    fn is_locked(&self) -> bool {
        self.0.is_locked()
    }
}

/// The locks work, and are released by sequences that the kernel knows.
#[track_caller]
fn is_released_by_sequences(name: &str, registration: Registration) {
    in_a_process(name, "glibc.pthread.rseq=0", || {
        if let Err(error) = begin(registration) {
            return locktoll_needs::refused(&format!("rseq(2), {registration:?}: {error}"));
        }
        assert!(!has_membarrier(), "no lock has been used");
        contend::<Registered>();
        last_releases::<Registered>();
        assert!(has_membarrier(), "the process is registered for barriers");
        assert!(is_registered(), "the kernel fills the area");
        let restarts = stepped_release::restarts();
        assert!(restarts > 0, "no sequence was interrupted");
    });
}

#[test]
fn the_original_registration() {
    let name = "the_original_registration";
    is_released_by_sequences(
        name,
        Registration {
            length: 32,
            size: 32,
        },
    );
}

#[test]
fn the_original_registration_as_newer_libraries_report_it() {
    let name = "the_original_registration_as_newer_libraries_report_it";
    is_released_by_sequences(
        name,
        Registration {
            length: 32,
            size: 20,
        },
    );
}

#[test]
fn the_registration_with_the_size_of_the_features() {
    let name = "the_registration_with_the_size_of_the_features";
    let size = feature_bytes().unwrap_or(33);
    is_released_by_sequences(name, Registration { length: 64, size });
}

#[test]
fn areas_that_nobody_has_registered() {
    let name = "areas_that_nobody_has_registered";
    in_a_process(name, "glibc.pthread.rseq=0", || {
        // The variables promise an area, and this program registers none: as with a thread that does not come from the C library.
        registered_areas::promise(33);
        contend::<RawMutex>();
        last_releases::<RawMutex>();
        assert!(!is_registered());
        assert_eq!(stepped_release::restarts(), 0);
    });
}
