//! One interval of `machine --watch`, as text and as a line of JSON.

mod causes;
mod head;
mod json;
mod notes;
mod page;
mod table;
mod words;

#[cfg(test)]
mod tests;

pub use json::json_line;
pub use page::{Block, Room, block_text, has_room_for_notes, notes_text};
