//! A look at a process that makes no progress, as text: deadlocks (`deadlocks`), threads for which others wait (`chains`), and all
//! threads by what they wait for (`threads`); `words` has the phrases, `page` the order.

mod chains;
mod deadlocks;
mod page;
mod threads;
mod words;

#[cfg(test)]
mod snapshots;

pub use page::HangPage;
#[cfg(target_os = "linux")]
pub use words::{answer, holder_words};
