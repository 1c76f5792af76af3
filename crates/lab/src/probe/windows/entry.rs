//! Calls that come straight back, most of them through the kernel; and readings of clocks.

use std::io;
use std::os::windows::io::AsRawHandle;
use std::sync::atomic::AtomicU32;

use windows_sys::Win32::System::Performance::QueryPerformanceCounter;
use windows_sys::Win32::System::Threading::{Sleep, SwitchToThread};

use super::address::{wait_on, wake_one};
use super::ntdll::PROCESSOR_NUMBER;
use super::object::{event, set, wait_for};
use crate::clock::Clock;
use crate::probe::interleave::Probe;
use crate::probe::ping_pong::made;

/// Repeats a call by one thread, which must not switch.
fn calls<'a>(title: &'static str, call: fn() -> io::Result<()>) -> Probe<'a> {
    Probe::new(title, Some(0.0), move |session, units| {
        session.solo(units, move || Ok(call))
    })
}

/// Enters and leaves the kernel, with next to nothing in between.
pub(super) fn system_call<'a>() -> Probe<'a> {
    Probe::new("system call", Some(0.0), |session, units| {
        session.solo(units, || {
            let call = PROCESSOR_NUMBER.get()?;
            Ok(move || {
                // SAFETY: takes nothing and returns a number.
                std::hint::black_box(unsafe { call() });
                Ok(())
            })
        })
    })
}

/// A yield with no other thread to run.
pub(super) fn yield_alone<'a>() -> Probe<'a> {
    calls("SwitchToThread alone", || {
        // SAFETY: takes nothing.
        std::hint::black_box(unsafe { SwitchToThread() });
        Ok(())
    })
}

/// The same by `Sleep(0)`, which yields to threads on all processors.
pub(super) fn sleep_0<'a>() -> Probe<'a> {
    calls("Sleep(0) alone", || {
        // SAFETY: a plain number.
        unsafe { Sleep(0) };
        Ok(())
    })
}

/// An event that nobody waits for.
pub(super) fn set_event<'a>() -> Probe<'a> {
    Probe::new("SetEvent, nobody waits", Some(0.0), |session, units| {
        session.solo(units, || {
            let event = made(event(false), "CreateEvent")?;
            Ok(move || match set(event.as_raw_handle()) {
                0 => Err(io::Error::last_os_error()),
                _ => Ok(()),
            })
        })
    })
}

/// A wait for an event that is set and stays set.
pub(super) fn wait_for_set<'a>() -> Probe<'a> {
    let title = "WaitForSingleObject that returns at once";
    Probe::new(title, Some(0.0), |session, units| {
        session.solo(units, || {
            let event = made(event(true), "CreateEvent")?;
            set(event.as_raw_handle());
            Ok(move || wait_for(&event))
        })
    })
}

/// A wake that finds no waiter.
pub(super) fn wake_address<'a>() -> Probe<'a> {
    let title = "WakeByAddressSingle, nobody waits";
    Probe::new(title, Some(0.0), |session, units| {
        session.solo(units, || {
            let word = AtomicU32::new(0);
            Ok(move || {
                wake_one(&word);
                Ok(())
            })
        })
    })
}

/// A wait that does not sleep, since the word has changed.
pub(super) fn wait_address<'a>() -> Probe<'a> {
    let title = "WaitOnAddress that returns at once";
    Probe::new(title, Some(0.0), |session, units| {
        session.solo(units, || {
            let word = AtomicU32::new(1);
            Ok(move || wait_on(&word, 0))
        })
    })
}

/// QueryPerformanceCounter.
pub(super) fn performance_counter<'a>() -> Probe<'a> {
    calls("QueryPerformanceCounter", || {
        let mut ticks = 0;
        // SAFETY: the result goes to a variable of ours.
        unsafe { QueryPerformanceCounter(&raw mut ticks) };
        std::hint::black_box(ticks);
        Ok(())
    })
}

/// The clock that times everything here.
pub(super) fn own_clock<'a>() -> Probe<'a> {
    Probe::new("own clock", Some(0.0), |session, units| {
        let clock: &'static Clock = session.clock();
        session.solo(units, move || {
            Ok(move || {
                std::hint::black_box(clock.now());
                Ok(())
            })
        })
    })
}
