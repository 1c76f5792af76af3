//! Wine, which runs Windows programs on other systems.

use std::ffi::{CStr, c_char};

use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleA, GetProcAddress};

/// Names Wine where it imitates Windows (`Wine 8.0, not Windows`); `None` on real Windows.
///
/// Wine's ntdll exports `wine_get_version`; Windows' ntdll does not (Wine's developers' FAQ).
pub fn stand_in() -> Option<String> {
    // SAFETY: both names are C strings; ntdll is mapped into every process for as long as it lives.
    let version = unsafe {
        GetProcAddress(
            GetModuleHandleA(c"ntdll.dll".as_ptr().cast()),
            c"wine_get_version".as_ptr().cast(),
        )
    }?;
    // SAFETY: Wine declares it `const char *wine_get_version(void)`.
    let version: extern "C" fn() -> *const c_char = unsafe { std::mem::transmute(version) };
    // SAFETY: Wine returns a static C string.
    let version = unsafe { CStr::from_ptr(version()) };
    Some(format!("Wine {}, not Windows", version.to_string_lossy()))
}
