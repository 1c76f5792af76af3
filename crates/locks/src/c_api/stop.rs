//! What a panic does in a library without the standard library: there is nobody to tell, and nothing to unwind.

/// No function of the library panics; this is what the compiler cannot rule out.
#[cfg(all(not(feature = "std"), not(test), panic = "abort"))]
#[panic_handler]
fn stop(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: ends the process.
    unsafe { libc::abort() }
}
