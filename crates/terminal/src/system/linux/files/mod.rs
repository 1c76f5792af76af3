//! Files that the user names for output: the folder to which the name leads, and the creation of a new file there; and the
//! reading of other users' files. Links and files that other users have placed there have no effect.
//!
//! - `walk`: from a name to the folder that it leads to, link by link. `planted`: the links and files that are not followed
//!   there.
//! - `reading`: files of others, opened so that they cannot harm the reader ([`open_regular`], [`of_process`]).
//! - `temporary`: a private folder. `destination`: the present file ([`Destination`]). `new_file`: the file that replaces it,
//!   whole or not at all ([`NewFile`]).

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
    field_of_stat, of_process, open_of_process, open_regular, open_regular_itself, text_of_process,
    why_no_process,
};
pub use temporary::private_folder;
