//! Files that the user names to be written: where the name leads, and how a new file gets there. What others have put in our way
//! decides neither.
//!
//! - `walk`: from a name to the folder that it leads to, link by link. `planted`: whose links and files are not followed there.
//! - `temporary`: a folder of our own. `destination`: what is there now ([`Destination`]). `new_file`: what comes in its stead, whole or not at all ([`NewFile`]).

mod destination;
mod new_file;
mod planted;
mod temporary;
mod walk;

pub use destination::{Destination, There};
pub use new_file::NewFile;
pub use planted::is_planted;
pub use temporary::private_folder;
