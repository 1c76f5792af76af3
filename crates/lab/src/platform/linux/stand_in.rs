//! Programs that run Linux programs for another processor.

use super::emulator::Emulator;

/// Names the emulator and the machine that it imitates (`qemu-aarch64, not an aarch64 machine`); `None` on real hardware.
pub fn stand_in() -> Option<String> {
    let emulator = Emulator::running_us()?;
    Some(format!(
        "{}, not an {} machine",
        emulator.name(),
        std::env::consts::ARCH
    ))
}
