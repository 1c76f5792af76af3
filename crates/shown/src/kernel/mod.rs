//! Waits for the kernel's locks as text for a terminal: the answer (`head`), tables by each axis (`tables`), the waits by
//! length (`lengths`), the limits and losses (`notes`).

mod head;
mod lengths;
#[cfg(target_os = "linux")]
mod live;
mod notes;
mod page;
mod tables;

#[cfg(all(test, target_os = "linux"))]
mod snapshots;

#[cfg(target_os = "linux")]
pub use live::kernel_interval_text;
#[cfg(target_os = "linux")]
pub use page::KernelPage;
