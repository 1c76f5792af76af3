//! How the sources of this workspace are arranged and how long they are, and that the reader of the sources sees what it must.

mod arrows;
mod crates;
mod leaf;
mod lengths;
mod made_up;
mod opened;
mod rooms;
