//! The toolkit below results and reports: how the program ends, prints, escapes, and uses the operating system.
//!
//! - [`failure`]: how a run ends; [`output`]: results on standard output, all other text on standard error.
//! - [`cannot_write`]: why a file that the user named cannot be written.
//! - [`escape`]: makes text from programs and files safe for a terminal.
//! - [`quantity`]: figures with their units; [`width`]: columns of text and of the terminal; [`fold`]: wraps sentences.
//! - [`interrupt`]: the user's wish to stop.
//! - [`system`]: calls of the operating system.
//! - [`version`]: the version and commit of this locktoll.

pub mod cannot_write;
pub mod escape;
pub mod failure;
pub mod fold;
pub mod interrupt;
pub mod output;
pub mod quantity;
pub mod system;
pub mod version;
pub mod width;
