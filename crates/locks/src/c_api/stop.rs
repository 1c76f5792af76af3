//! Panics in a library without the standard library: nothing can be reported, and nothing unwound.

/// No function of the library panics; this is what the compiler cannot rule out.
#[cfg(all(not(feature = "std"), not(test), panic = "abort"))]
#[panic_handler]
fn stop(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: ends the process.
    unsafe { libc::abort() }
}
