//! Programs that run Linux programs of another processor.

use super::emulator::Emulator;

/// What plays the machine here, and what it is not (`qemu-aarch64, not an aarch64 machine`); `None` on the real thing.
pub fn stand_in() -> Option<String> {
    let emulator = Emulator::running_us()?;
    Some(format!(
        "{}, not an {} machine",
        emulator.name(),
        std::env::consts::ARCH
    ))
}
