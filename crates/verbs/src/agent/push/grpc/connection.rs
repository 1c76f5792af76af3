//! Opens a connection: TCP, TLS, HTTP/2.

use std::io::{self, ErrorKind};
use std::sync::Arc;

use h2::client::{Builder, SendRequest};
use h2::{Ping, PingPong};
use hyper::Uri;
use hyper::body::Bytes;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use ureq::tls::Certificate;

use crate::agent::push::server::Server;
use crate::agent::push::tls;

/// The name of HTTP/2 in the handshake of TLS.
const HTTP2: &[u8] = b"h2";

/// The largest head of an answer.
const MOST_HEADER_BYTES: u32 = 16 << 10;

const NO_HTTP2: &str =
    "the server does not speak HTTP/2, as gRPC needs; for OTLP over HTTP, use --push-otlp";

/// Where connections lead.
pub struct Place {
    host: String,
    port: u16,
    tls: Option<(TlsConnector, ServerName<'static>)>,
}

impl Place {
    /// Reads the address of a server.
    ///
    /// # Errors
    /// If the host has no name that a certificate can have.
    pub fn of(server: &Server, roots: &[Certificate<'static>]) -> io::Result<Self> {
        let uri: Uri = server.address.parse().map_err(io::Error::other)?;
        let host = uri.host().unwrap_or_default();
        let host = host.trim_matches(['[', ']']).to_owned();
        let default_port = if server.is_encrypted { 443 } else { 80 };
        let tls = match server.is_encrypted {
            true => {
                let name = ServerName::try_from(host.clone()).map_err(io::Error::other)?;
                let config = config(roots).map_err(io::Error::other)?;
                Some((TlsConnector::from(Arc::new(config)), name))
            }
            false => None,
        };
        Ok(Self {
            host,
            port: uri.port_u16().unwrap_or(default_port),
            tls,
        })
    }

    /// Opens a connection.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn open(&self) -> Result<SendRequest<Bytes>, String> {
        Ok(self.connect().await?.sender)
    }

    /// Opens a connection to see whether the server answers in HTTP/2.
    pub async fn answers_in_http2(&self) -> bool {
        // As long as the sender is there, the connection stays open.
        let Ok(Opened { sender, pings }) = self.connect().await else {
            return false;
        };
        let Some(mut pings) = pings else {
            return false;
        };
        let answered = pings.ping(Ping::opaque()).await.is_ok();
        drop(sender);
        answered
    }

    async fn connect(&self) -> Result<Opened, String> {
        let words = |error: io::Error| tls::io_words(&error);
        let stream = TcpStream::connect((&*self.host, self.port)).await;
        let stream = stream.map_err(words)?;
        stream.set_nodelay(true).map_err(words)?;
        let Some((connector, name)) = &self.tls else {
            return handshake(stream).await;
        };
        let stream = connector.connect(name.clone(), stream).await;
        let stream = stream.map_err(words)?;
        match stream.get_ref().1.alpn_protocol() {
            Some(HTTP2) => handshake(stream).await,
            _ => Err(NO_HTTP2.to_owned()),
        }
    }
}

fn config(roots: &[Certificate<'static>]) -> Result<ClientConfig, rustls::Error> {
    let mut store = RootCertStore::empty();
    let roots = roots.iter().map(|it| CertificateDer::from_slice(it.der()));
    // A system may have some that are not understood.
    store.add_parsable_certificates(roots);
    let provider = rustls::crypto::ring::default_provider();
    let config = ClientConfig::builder_with_provider(Arc::new(provider))
        .with_safe_default_protocol_versions()?;
    let mut config = config.with_root_certificates(store).with_no_client_auth();
    config.alpn_protocols = vec![HTTP2.to_vec()];
    Ok(config)
}

/// A connection that has been opened. The server may not have said anything yet.
struct Opened {
    sender: SendRequest<Bytes>,
    pings: Option<PingPong>,
}

async fn handshake<S>(stream: S) -> Result<Opened, String>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut builder = Builder::new();
    builder
        .enable_push(false)
        .max_header_list_size(MOST_HEADER_BYTES);
    let opened = builder.handshake(stream).await;
    let (sender, mut connection) = opened.map_err(|error| broken_words(&error))?;
    let pings = connection.ping_pong();
    // Its errors are those of the request, too.
    tokio::spawn(async { drop(connection.await) });
    Ok(Opened { sender, pings })
}

/// Returns an error of HTTP/2 in words that are the same each time.
pub fn broken_words(error: &h2::Error) -> String {
    match error.get_io().map(|it| (it.kind(), it)) {
        // A server for HTTP/1 may end the connection when it sees HTTP/2.
        Some((ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::UnexpectedEof, _)) => {
            "the server closed the connection without an answer; perhaps it does not speak gRPC: for OTLP over HTTP, use --push-otlp"
                .to_owned()
        }
        Some((_, error)) => tls::io_words(error),
        // It has found what is not HTTP/2.
        None if error.is_library() => NO_HTTP2.to_owned(),
        None => format!("the server ended the request: {error}"),
    }
}
