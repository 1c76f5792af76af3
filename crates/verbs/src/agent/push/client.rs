//! One request to a server.

use std::io;
use std::path::PathBuf;

use ureq::tls::Certificate;

use super::answer::Answer;
use super::grpc::Grpc;
use super::http::Http;
use super::item::Item;
use super::server::{Kind, Server};
use super::token;

/// Sends requests to one server.
pub struct Client {
    way: Way,
    server: Server,
    token: Option<PathBuf>,
}

enum Way {
    Http(Box<Http>),
    Grpc(Box<Grpc>),
}

impl Client {
    /// Prepares requests. `roots` are the certificates that the server is checked against, if the connection is encrypted.
    ///
    /// # Errors
    /// If the system gives no more files.
    pub fn new(
        server: Server,
        roots: Vec<Certificate<'static>>,
        token: Option<PathBuf>,
    ) -> io::Result<Self> {
        let way = match server.kind {
            Kind::Pyroscope | Kind::Otlp => Way::Http(Box::new(Http::new(server.clone(), roots))),
            Kind::OtlpGrpc => Way::Grpc(Box::new(Grpc::new(&server, &roots)?)),
        };
        Ok(Self { way, server, token })
    }

    /// Returns the server.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Sends a request.
    pub fn send(&mut self, item: &Item) -> Answer {
        let token = match self.token.as_deref().map(token::read).transpose() {
            Ok(token) => token,
            Err(why) => return Answer::not_now(why),
        };
        let address = format!("{}{}", self.server.address, item.head.path);
        let answer = match &mut self.way {
            Way::Http(http) => http.send(&address, item, token.as_deref()),
            Way::Grpc(grpc) => grpc.send(&address, item, token.as_deref()),
        };
        answer.without(token.as_deref())
    }
}
