//! Calls that ntdll exports and no header declares.
//!
//! 1. ntdll is mapped into every process for as long as the process lives, at one address.
//! 2. A [`Call`]'s type has the arguments and the result of ntdll's function of that name, according to the source
//!    named at each.

use std::ffi::{CStr, c_void};
use std::marker::PhantomData;
use std::sync::OnceLock;

use windows_sys::Win32::Foundation::NTSTATUS;
use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleA, GetProcAddress};

/// The number of the processor that the thread runs on, from the kernel ("x86-64 system calls of Windows", M. Jurczyk: since
/// Vista). `GetCurrentProcessorNumber` of the Windows API asks the processor instead.
pub(super) static PROCESSOR_NUMBER: Call<unsafe extern "system" fn() -> u32> =
    Call::new(c"NtGetCurrentProcessorNumber");

/// The coarsest, the finest and the current interval of the timer interrupt, in units of 100 ns ("Windows NT/2000 Native API
/// Reference", G. Nebbett, 2000).
pub(super) static TIMER_RESOLUTION: Call<
    unsafe extern "system" fn(*mut u32, *mut u32, *mut u32) -> NTSTATUS,
> = Call::new(c"NtQueryTimerResolution");

/// Alerts a thread of this process: ends its wait for an alert, or its next one. WakeByAddressSingle ends in this call ("ntdll.h"
/// of System Informer: since Windows 8).
pub(super) static ALERT: Call<unsafe extern "system" fn(usize) -> NTSTATUS> =
    Call::new(c"NtAlertThreadByThreadId");

/// Waits for an alert. WaitOnAddress ends in this call. Takes a hint for debuggers and a timeout; null means none.
pub(super) static WAIT_FOR_ALERT: Call<
    unsafe extern "system" fn(*const c_void, *const i64) -> NTSTATUS,
> = Call::new(c"NtWaitForAlertByThreadId");

/// A call of ntdll, looked up once.
pub(super) struct Call<F> {
    name: &'static CStr,
    address: OnceLock<Option<unsafe extern "system" fn() -> isize>>,
    signature: PhantomData<F>,
}

impl<F: Copy> Call<F> {
    const fn new(name: &'static CStr) -> Call<F> {
        Call {
            name,
            address: OnceLock::new(),
            signature: PhantomData,
        }
    }

    /// Returns the function.
    ///
    /// # Errors
    /// A sentence, if this ntdll does not have the function.
    pub fn get(&self) -> Result<F, String> {
        const { assert!(size_of::<F>() == size_of::<unsafe extern "system" fn()>()) };
        let address = self.address.get_or_init(|| {
            // SAFETY: both names are C strings; invariant 1.
            unsafe {
                GetProcAddress(
                    GetModuleHandleA(c"ntdll.dll".as_ptr().cast()),
                    self.name.as_ptr().cast(),
                )
            }
        });
        match address {
            // SAFETY: invariant 2; both are function pointers, of one size.
            Some(address) => Ok(unsafe { std::mem::transmute_copy::<_, F>(address) }),
            None => Err(format!("this ntdll has no {}", self.name.to_string_lossy())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_has_is_found_and_what_it_has_not_is_told() {
        assert!(TIMER_RESOLUTION.get().is_ok());
        let none: Call<unsafe extern "system" fn()> = Call::new(c"NtNoSuchCall");
        assert_eq!(none.get().err().unwrap(), "this ntdll has no NtNoSuchCall");
    }
}
