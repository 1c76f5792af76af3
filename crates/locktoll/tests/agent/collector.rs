//! A collector over gRPC: the server that tonic makes of the published protocol, and this keeps what it takes.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use opentelemetry_proto::tonic::collector::profiles::v1development::profiles_service_server::{
    ProfilesService, ProfilesServiceServer,
};
use opentelemetry_proto::tonic::collector::profiles::v1development::{
    ExportProfilesPartialSuccess, ExportProfilesServiceRequest, ExportProfilesServiceResponse,
};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tonic::codec::CompressionEncoding;
use tonic::codegen::tokio_stream::StreamExt;
use tonic::metadata::MetadataMap;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Identity, Server, ServerTlsConfig};
use tonic::{Request, Response, Status};

use crate::otlp::Export;

/// What the server answers.
type Judge = Box<dyn FnMut() -> Result<Option<ExportProfilesPartialSuccess>, Status> + Send>;

/// The server. It serves until it is dropped.
pub struct Collector {
    pub address: SocketAddr,
    scheme: &'static str,
    kept: Arc<Kept>,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

struct Kept {
    judge: Mutex<Judge>,
    taken: Mutex<Vec<(Export, MetadataMap)>>,
    refused: Mutex<usize>,
    connections: Mutex<usize>,
}

impl Collector {
    /// Takes everything, on a port that is free.
    pub fn start() -> Self {
        Self::at("127.0.0.1:0")
    }

    /// Takes everything, there.
    pub fn at(address: &str) -> Self {
        Self::with(address, None)
    }

    /// Takes everything over TLS, with a certificate and its key, both PEM.
    pub fn encrypted(certificate: &[u8], key: &[u8]) -> Self {
        let identity = Identity::from_pem(certificate, key);
        let tls = ServerTlsConfig::new().identity(identity);
        Self::with("127.0.0.1:0", Some(tls))
    }

    fn with(address: &str, tls: Option<ServerTlsConfig>) -> Self {
        let kept = Arc::new(Kept {
            judge: Mutex::new(Box::new(|| Ok(None))),
            taken: Mutex::default(),
            refused: Mutex::default(),
            connections: Mutex::default(),
        });
        let service = ProfilesServiceServer::from_arc(Arc::clone(&kept));
        let service = service.accept_compressed(CompressionEncoding::Gzip);
        let scheme = if tls.is_some() { "https" } else { "http" };
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind(address)).unwrap();
        let address = listener.local_addr().unwrap();
        let (end, ended) = oneshot::channel();
        let counted = Arc::clone(&kept);
        let thread = std::thread::spawn(move || {
            let mut server = Server::builder();
            if let Some(tls) = tls {
                server = server.tls_config(tls).unwrap();
            }
            let incoming = TcpIncoming::from(listener).map(move |it| {
                *counted.connections.lock().unwrap() += 1;
                it
            });
            runtime.spawn(server.serve_with_incoming(service, incoming));
            // The runtime ends with this thread, and every connection with it.
            let _ = runtime.block_on(ended);
        });
        Self {
            address,
            scheme,
            kept,
            end: Some(end),
            thread: Some(thread),
        }
    }

    /// The address for the flags.
    pub fn url(&self) -> String {
        format!("{}://{}", self.scheme, self.address)
    }

    /// Answers like this from now on.
    pub fn answer(
        &self,
        judge: impl FnMut() -> Result<Option<ExportProfilesPartialSuccess>, Status> + Send + 'static,
    ) {
        *self.kept.judge.lock().unwrap() = Box::new(judge);
    }

    /// What was taken.
    pub fn taken(&self) -> Vec<Export> {
        let taken = self.kept.taken.lock().unwrap();
        taken.iter().map(|(export, _)| export.clone()).collect()
    }

    /// The metadata of what was taken.
    pub fn metadata(&self) -> Vec<MetadataMap> {
        let taken = self.kept.taken.lock().unwrap();
        taken.iter().map(|(_, metadata)| metadata.clone()).collect()
    }

    /// How many connections there were, also those without a request.
    pub fn connections(&self) -> usize {
        *self.kept.connections.lock().unwrap()
    }

    /// How many requests were not taken.
    pub fn refused(&self) -> usize {
        *self.kept.refused.lock().unwrap()
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        drop(self.end.take());
        let thread = self.thread.take();
        let ended = thread.map(JoinHandle::join);
        // A panic in a panic would hide the first one.
        if !std::thread::panicking() {
            ended.unwrap().unwrap();
        }
    }
}

#[tonic::async_trait]
impl ProfilesService for Kept {
    async fn export(
        &self,
        request: Request<ExportProfilesServiceRequest>,
    ) -> Result<Response<ExportProfilesServiceResponse>, Status> {
        let judged = self.judge.lock().unwrap_or_else(PoisonError::into_inner)();
        match judged {
            Ok(partial_success) => {
                let (metadata, _, message) = request.into_parts();
                let export = Export::from(message);
                self.taken.lock().unwrap().push((export, metadata));
                Ok(Response::new(ExportProfilesServiceResponse {
                    partial_success,
                }))
            }
            Err(status) => {
                *self.refused.lock().unwrap() += 1;
                Err(status)
            }
        }
    }
}
