//! A server of profiles: hyper reads what comes, and this keeps it.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use hyper::body::{Body, Incoming};
use hyper::header::HeaderMap;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, Uri};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// How long something that must happen may take on a machine that is busy with everything else.
const PATIENCE: Duration = Duration::from_secs(120);

/// A request that came.
#[derive(Clone)]
pub struct Received {
    pub uri: Uri,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
    pub status: u16,
}

/// The server. It serves until the test program ends.
pub struct Receiver {
    pub address: SocketAddr,
    /// The status of answers.
    status: Arc<AtomicU16>,
    received: Arc<Mutex<Vec<Received>>>,
    /// Connections that began.
    connections: Arc<AtomicUsize>,
    scheme: &'static str,
}

impl Receiver {
    /// Serves on a port that is free.
    pub fn start() -> Self {
        Self::at("127.0.0.1:0")
    }

    /// Serves there.
    pub fn at(address: &str) -> Self {
        Self::with(address, None)
    }

    /// Serves over TLS, with a certificate and its key, both PEM.
    pub fn encrypted(certificate: &[u8], key: &[u8]) -> Self {
        let chain = CertificateDer::pem_slice_iter(certificate).map(Result::unwrap);
        let key = PrivateKeyDer::from_pem_slice(key).unwrap();
        let ring = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(ring)
            .with_safe_default_protocol_versions()
            .unwrap();
        let config = config.with_no_client_auth();
        let config = config.with_single_cert(chain.collect(), key).unwrap();
        Self::with("127.0.0.1:0", Some(Arc::new(config)))
    }

    fn with(address: &str, tls: Option<Arc<ServerConfig>>) -> Self {
        let listener = TcpListener::bind(address).unwrap();
        let receiver = Self {
            address: listener.local_addr().unwrap(),
            status: Arc::new(AtomicU16::new(200)),
            received: Arc::default(),
            connections: Arc::default(),
            scheme: if tls.is_some() { "https" } else { "http" },
        };
        let (status, received) = (Arc::clone(&receiver.status), Arc::clone(&receiver.received));
        let connections = Arc::clone(&receiver.connections);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                connections.fetch_add(1, Ordering::SeqCst);
                let (status, received) = (Arc::clone(&status), Arc::clone(&received));
                let tls = tls.clone();
                std::thread::spawn(move || match tls {
                    None => serve(stream, &status, &received),
                    Some(config) => {
                        let connection = ServerConnection::new(config).unwrap();
                        serve(StreamOwned::new(connection, stream), &status, &received);
                    }
                });
            }
        });
        receiver
    }

    /// The address for the flags.
    pub fn url(&self) -> String {
        format!("{}://{}", self.scheme, self.address)
    }

    /// How many connections began.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Answers with this status from now on.
    pub fn answer(&self, status: u16) {
        self.status.store(status, Ordering::SeqCst);
    }

    /// What has come so far and was taken.
    pub fn taken(&self) -> Vec<Received> {
        let received = self.received.lock().unwrap();
        received
            .iter()
            .filter(|it| it.status < 300)
            .cloned()
            .collect()
    }

    /// How many requests were not taken.
    pub fn refused(&self) -> usize {
        let received = self.received.lock().unwrap();
        received.iter().filter(|it| it.status >= 300).count()
    }

    /// Waits until it is as wanted.
    pub fn until<T>(&self, what: &str, mut is: impl FnMut(&Self) -> Option<T>) -> T {
        let give_up = Instant::now() + PATIENCE;
        loop {
            if let Some(found) = is(self) {
                return found;
            }
            assert!(Instant::now() < give_up, "{what}: never");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Serves one connection, whose socket blocks: nothing here is ever pending.
fn serve<S: io::Read + io::Write + Unpin>(
    stream: S,
    status: &AtomicU16,
    received: &Mutex<Vec<Received>>,
) {
    let service = service_fn(|request: Request<Incoming>| async {
        let (head, body) = request.into_parts();
        let body = whole(body).await;
        let status = status.load(Ordering::SeqCst);
        received.lock().unwrap().push(Received {
            uri: head.uri,
            headers: head.headers,
            body,
            status,
        });
        let answer = Response::builder().status(status).body(String::new());
        Ok::<_, Infallible>(answer.unwrap())
    });
    let mut builder = http1::Builder::new();
    // Otherwise hyper reads on while it answers, to see whether the client has gone.
    builder.half_close(true).keep_alive(false);
    let connection = builder.serve_connection(Blocking(stream), service);
    let mut connection = pin!(connection);
    let mut context = Context::from_waker(Waker::noop());
    while connection.as_mut().poll(&mut context).is_pending() {}
}

async fn whole(body: Incoming) -> Vec<u8> {
    let mut body = pin!(body);
    let mut all = Vec::new();
    while let Some(Ok(frame)) = poll_fn(|context| body.as_mut().poll_frame(context)).await {
        all.extend_from_slice(&frame.into_data().unwrap_or_default());
    }
    all
}

struct Blocking<S>(S);

impl<S: io::Read + Unpin> Read for Blocking<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        mut buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let mut bytes = [0; 4096];
        let room = buffer.remaining().min(bytes.len());
        let read = self.0.read(&mut bytes[..room])?;
        buffer.put_slice(&bytes[..read]);
        Poll::Ready(Ok(()))
    }
}

impl<S: io::Write + Unpin> Write for Blocking<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(self.0.write(bytes))
    }

    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.0.flush())
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.0.flush())
    }
}
