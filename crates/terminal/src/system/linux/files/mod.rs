//! Files that the user names to be written: where the name leads, and how a new file gets there; and files of others that are read. What
//! others have put in our way decides nothing.
//!
//! - `walk`: from a name to the folder that it leads to, link by link. `planted`: whose links and files are not followed there.
//! - `reading`: files of others, opened so that they cannot harm whoever reads them ([`open_regular`], [`of_process`]).
//! - `temporary`: a folder of our own. `destination`: what is there now ([`Destination`]). `new_file`: what comes in its stead, whole or not at all ([`NewFile`]).

mod destination;
mod new_file;
mod planted;
mod reading;
mod temporary;
mod walk;

pub use destination::{Destination, There};
pub use new_file::NewFile;
pub use planted::is_planted;
pub use reading::{
    of_process, open_of_process, open_regular, open_regular_itself, text_of_process,
};
pub use temporary::private_folder;
