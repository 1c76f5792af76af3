//! A request over gRPC: one unary call of `ProfilesService`.
//!
//! - `sender`: sends requests, over a connection that is kept for a while. `connection`: opens one: TCP, TLS, HTTP/2.
//! - `call`: a request and its answer. `status`: what the status means.
//! - `probe`: whether a server that does not answer in HTTP/1.1 speaks HTTP/2.

mod call;
mod connection;
mod probe;
mod sender;
mod status;

pub use probe::speaks_http2;
pub use sender::Grpc;
