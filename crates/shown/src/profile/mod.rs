//! A profile: the selection to show, its words, and its forms as text and as a page. Its other formats are in `formats`.

mod answer;
mod html;
mod names;
mod order;
mod preempted;
mod selection;
mod shown;
mod sort;
mod spent;
pub mod spinning;
pub mod text;
pub mod timeline;
mod view;
pub(crate) mod waits;
pub mod words;

pub use answer::answer;
pub use html::page_document;
pub use names::Names;
pub use selection::{NoSuchLock, Selection};
pub use sort::SortKey;
pub use view::{Side, View};
