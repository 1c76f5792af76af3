//! The panic handler of a library without the standard library: nothing can be reported or unwound.

/// Ends the process. No function of the library panics, but the compiler cannot rule it out.
#[cfg(all(not(feature = "std"), not(test), panic = "abort"))]
#[panic_handler]
fn stop(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: ends the process.
    unsafe { libc::abort() }
}
