//! Whether a server speaks HTTP/2, as servers of gRPC do.

use std::time::Duration;

use tokio::runtime::Builder;
use tokio::time::timeout;
use ureq::tls::Certificate;

use super::connection::Place;
use crate::agent::push::server::Server;

/// How long the server may take.
const LONGEST: Duration = Duration::from_secs(5);

/// Asks a server in HTTP/2 for a sign of life, over a connection of its own. Returns whether it gives one.
pub fn speaks_http2(server: &Server, roots: &[Certificate<'static>]) -> bool {
    let Ok(place) = Place::of(server, roots) else {
        return false;
    };
    let Ok(runtime) = Builder::new_current_thread().enable_all().build() else {
        return false;
    };
    let asked = async { timeout(LONGEST, place.answers_in_http2()).await };
    runtime.block_on(asked).unwrap_or(false)
}
