//! One request to a server.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

use super::item::Item;
use super::server::Server;
use super::token;

/// The longest time for a request, from the connection to the end of the answer.
const LONGEST: Duration = Duration::from_secs(30);

/// What has become of a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// The server has taken it.
    Taken,
    /// The server will never take it: why.
    Refused(String),
    /// It may take it later: why not now.
    NotNow(String),
}

/// Sends requests to one server.
pub struct Client {
    agent: Agent,
    server: Server,
    token: Option<PathBuf>,
}

impl Client {
    /// Prepares requests. `roots` are the certificates that the server is checked against, if the connection is encrypted.
    pub fn new(server: Server, roots: Vec<Certificate<'static>>, token: Option<PathBuf>) -> Self {
        let provider = rustls::crypto::ring::default_provider();
        let tls = TlsConfig::builder()
            .root_certs(RootCerts::from(roots))
            .unversioned_rustls_crypto_provider(Arc::new(provider))
            .build();
        let config = Agent::config_builder()
            .tls_config(tls)
            .timeout_global(Some(LONGEST))
            // A redirection could lead to a server that was not meant, and the token with it.
            .max_redirects(0)
            // Nor through a proxy that happens to be in the environment.
            .proxy(None)
            .http_status_as_error(false)
            .user_agent(concat!("locktoll/", env!("CARGO_PKG_VERSION")))
            .build();
        Self {
            agent: config.new_agent(),
            server,
            token,
        }
    }

    /// Returns the server.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Sends a request.
    pub fn send(&self, item: &Item) -> Answer {
        let address = format!("{}{}", self.server.address, item.head.path);
        let mut request = self.agent.post(address).content_type(&item.head.media_type);
        if let Some(encoding) = &item.head.encoding {
            request = request.header("content-encoding", encoding);
        }
        if let Some(file) = &self.token {
            match token::read(file) {
                Ok(token) => request = request.header("authorization", format!("Bearer {token}")),
                Err(why) => return Answer::NotNow(why),
            }
        }
        match request.send(&item.body[..]) {
            Ok(answer) => answer_of(answer.status().as_u16()),
            Err(error) => Answer::NotNow(words(&error)),
        }
    }
}

/// Judges a status. Most refusals are about the address or the token, which may be put right; a few are about this request.
fn answer_of(status: u16) -> Answer {
    let why = format!("the server answered with status {status}");
    match status {
        200..=299 => Answer::Taken,
        // Bad request, too large, wrong media type, cannot be processed.
        400 | 413 | 415 | 422 => Answer::Refused(why),
        401 | 403 => Answer::NotNow(format!(
            "{why}: the token is missing or not accepted; --push-token-file names the file with the token"
        )),
        _ => Answer::NotNow(why),
    }
}

/// Returns an error in words that are the same each time, so that they are said once.
fn words(error: &ureq::Error) -> String {
    match error {
        ureq::Error::Rustls(error) => certificate_words(error),
        ureq::Error::Io(error) => match error
            .get_ref()
            .and_then(|it| it.downcast_ref::<rustls::Error>())
        {
            Some(error) => certificate_words(error),
            None => error.to_string(),
        },
        ureq::Error::HostNotFound => "the name of the server cannot be resolved".to_owned(),
        ureq::Error::Timeout(_) => "the server did not answer in time".to_owned(),
        error => error.to_string(),
    }
}

fn certificate_words(error: &rustls::Error) -> String {
    match error {
        rustls::Error::InvalidCertificate(_) => {
            format!(
                "the server's certificate is not accepted: {error}; --push-ca names a file of accepted certificates"
            )
        }
        error => format!("no encrypted connection: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_refusals_that_are_about_the_request_are_for_good() {
        assert_eq!(answer_of(200), Answer::Taken);
        assert_eq!(answer_of(204), Answer::Taken);
        for status in [400, 413, 415, 422] {
            assert!(matches!(answer_of(status), Answer::Refused(_)), "{status}");
        }
        for status in [301, 401, 403, 404, 408, 429, 500, 502, 503] {
            assert!(matches!(answer_of(status), Answer::NotNow(_)), "{status}");
        }
    }
}
