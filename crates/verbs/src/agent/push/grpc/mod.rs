//! A request over gRPC: one unary call of `ProfilesService`.
//!
//! - `sender`: sends requests, over a connection that is kept for a while. `connection`: opens one: TCP, TLS, HTTP/2.
//! - `call`: a request and its answer. `status`: what the status means.

mod call;
mod connection;
mod sender;
mod status;

pub use sender::Grpc;
