//! Programs that run Linux programs of another processor.

/// What plays the machine here, and what it is not (`qemu-aarch64, not an aarch64 machine`); `None` on the real thing.
///
/// qemu's user mode answers `/proc/self/exe` with the program that it runs (so that programs find themselves), but not
/// `/proc/thread-self/exe`, where the kernel's own answer is qemu.
pub fn stand_in() -> Option<String> {
    let (seen, kernels) = (
        std::fs::read_link("/proc/self/exe").ok()?,
        std::fs::read_link("/proc/thread-self/exe").ok()?,
    );
    let emulator = kernels.file_name()?.to_str()?;
    (seen != kernels && emulator.starts_with("qemu-"))
        .then(|| format!("{emulator}, not an {} machine", std::env::consts::ARCH))
}
