//! Waits for the kernel's locks as text for a terminal: what it was (`head`), tables by each axis (`tables`), the waits by length
//! (`lengths`), what cannot be seen and what was lost (`notes`).

mod head;
mod lengths;
mod live;
mod notes;
mod page;
mod tables;

#[cfg(test)]
mod snapshots;

pub use live::kernel_interval_text;
pub use page::{KernelPage, kernel_text};
