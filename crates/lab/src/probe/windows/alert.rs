//! The two calls that WakeByAddressSingle and WaitOnAddress make if a thread sleeps.

use windows_sys::Win32::Foundation::{STATUS_ALERTED, STATUS_SUCCESS};
use windows_sys::Win32::System::Threading::GetCurrentThreadId;

use super::ntdll::{ALERT, WAIT_FOR_ALERT};
use crate::probe::interleave::Probe;

/// A thread alerts itself, then waits for the alert: neither call sleeps.
pub(super) fn itself<'a>() -> Probe<'a> {
    Probe::new("alert, one thread", Some(0.0), |session, units| {
        session.solo(units, || {
            let (alert, wait) = (ALERT.get()?, WAIT_FOR_ALERT.get()?);
            // SAFETY: takes nothing.
            let thread = unsafe { GetCurrentThreadId() } as usize;
            Ok(move || {
                // SAFETY: a plain number; no pointer but null.
                let answers = unsafe { (alert(thread), wait(std::ptr::null(), std::ptr::null())) };
                match answers {
                    (STATUS_SUCCESS, STATUS_ALERTED) => Ok(()),
                    (alert, wait) => Err(std::io::Error::other(format!(
                        "NtAlertThreadByThreadId said {alert:#x}, NtWaitForAlertByThreadId {wait:#x}"
                    ))),
                }
            })
        })
    })
}
