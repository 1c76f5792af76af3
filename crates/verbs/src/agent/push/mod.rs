//! Profiles of recorded programs, pushed to servers of profiles at regular intervals.
//!
//! - `flags`, `plan`: what is asked for, checked. `server`: the kinds of servers, and their addresses. `words`: messages.
//! - `pyroscope`, `otlp`: an interval as requests to Pyroscope, and to a server of OTLP. `item`: a request as it is kept.
//! - `queue`: requests on disk until they have been sent, in a `folder` of the user's own. `pusher`: puts intervals there.
//! - `sender`: a thread that sends them, with pauses (`pause`) while the server does not answer. `client`: one request, by `http` or `grpc`, and
//!   its `answer`. `token`, `roots`, `tls`, `limits`: what it needs.

mod answer;
mod client;
pub mod flags;
mod folder;
mod grpc;
mod http;
mod item;
mod limits;
mod otlp;
mod pause;
mod plan;
mod pusher;
mod pyroscope;
mod queue;
mod roots;
mod sender;
mod server;
mod tls;
mod token;
mod words;

pub use plan::Plan;
pub use pusher::Pusher;
pub use queue::Counts;
