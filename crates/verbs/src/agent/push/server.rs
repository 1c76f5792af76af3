//! The kinds of servers, and their addresses.

use hyper::Uri;

use locktoll_terminal::escape::shown_text;

/// A kind of server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Pyroscope, through its HTTP ingest.
    Pyroscope,
    /// An OpenTelemetry collector, or another server that takes OTLP over HTTP.
    Otlp,
    /// The same, over gRPC.
    OtlpGrpc,
}

impl Kind {
    /// Returns the word for it in metrics and in the queue.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pyroscope => "pyroscope",
            Self::Otlp => "otlp",
            Self::OtlpGrpc => "otlp-grpc",
        }
    }

    /// Returns its flag.
    pub fn flag(self) -> &'static str {
        match self {
            Self::Pyroscope => "--push-pyroscope",
            Self::Otlp => "--push-otlp",
            Self::OtlpGrpc => "--push-otlp-grpc",
        }
    }

    /// Returns its name in messages.
    fn name(self) -> &'static str {
        match self {
            Self::Pyroscope => "Pyroscope",
            Self::Otlp => "the collector",
            Self::OtlpGrpc => "the collector (gRPC)",
        }
    }

    /// Returns an address that is accepted.
    fn example(self) -> &'static str {
        match self {
            Self::Pyroscope => "http://127.0.0.1:4040",
            Self::Otlp => "http://127.0.0.1:4318",
            Self::OtlpGrpc => "http://127.0.0.1:4317",
        }
    }
}

/// A server to push to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// Its kind.
    pub kind: Kind,
    /// Its address, without a slash at the end. It has no password.
    pub address: String,
    /// Whether the connection is encrypted.
    pub is_encrypted: bool,
    /// Whether it is on this machine.
    pub is_here: bool,
}

impl Server {
    /// Returns its name in messages: two kinds may have the same address.
    pub fn name(&self) -> String {
        format!("{} at {}", self.kind.name(), self.address)
    }

    /// Reads an address.
    ///
    /// # Errors
    /// What was wrong, and what is accepted.
    pub fn of(kind: Kind, text: &str) -> Result<Self, String> {
        // The text is not repeated if it may contain a password.
        let shown = match text.contains('@') {
            true => "the address".to_owned(),
            false => format!("'{}'", shown_text(text)),
        };
        let refused = |why: &str| {
            let example = kind.example();
            let flag = kind.flag();
            format!("{flag}: {shown} {why}; accepted: an address such as {example}")
        };
        let uri: Uri = text
            .parse()
            .map_err(|_| refused("is not the address of a server"))?;
        let is_encrypted = match uri.scheme_str() {
            Some("http") => false,
            Some("https") => true,
            _ => return Err(refused("does not begin with http:// or https://")),
        };
        let host = uri.host().unwrap_or_default();
        let authority = uri.authority().map(|it| it.as_str()).unwrap_or_default();
        if authority.contains('@') {
            return Err(refused(
                "contains a user or a password, which every user of this machine could read; use --push-token-file",
            ));
        }
        if host.is_empty() {
            return Err(refused("has no host"));
        }
        if uri.query().is_some() || text.contains('#') {
            return Err(refused("has a query or a fragment"));
        }
        if kind == Kind::OtlpGrpc && !uri.path().trim_matches('/').is_empty() {
            return Err(refused("has a path, which gRPC does not use"));
        }
        let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
        Ok(Self {
            kind,
            address: text.trim_end_matches('/').to_owned(),
            is_encrypted,
            is_here: host == "localhost" || address.is_ok_and(|it| it.is_loopback()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_servers_are_accepted() {
        let server = |text| Server::of(Kind::Pyroscope, text).unwrap();
        let here = server("http://127.0.0.1:4040/");
        assert_eq!(here.address, "http://127.0.0.1:4040");
        assert!(here.is_here && !here.is_encrypted);
        assert!(server("http://[::1]:4040").is_here);
        let far = server("https://profiles.example/base/");
        assert!(!far.is_here && far.is_encrypted);
        assert_eq!(far.address, "https://profiles.example/base");
    }

    #[test]
    fn a_path_is_refused_only_for_grpc() {
        let path = "https://a.example:4317/base/";
        assert!(Server::of(Kind::Otlp, path).is_ok());
        let why = Server::of(Kind::OtlpGrpc, path).unwrap_err();
        assert!(why.contains("has a path") && why.contains(":4317"), "{why}");
        let server = Server::of(Kind::OtlpGrpc, "https://a.example:4317/").unwrap();
        assert_eq!(server.address, "https://a.example:4317");
    }

    #[test]
    fn other_texts_are_refused_and_a_password_is_not_repeated() {
        for wrong in [
            "",
            "127.0.0.1:4040",
            "ftp://a",
            "http://",
            "http://a?x=1",
            "http://a#x",
            "http://a b",
            "http://a\n",
            "http://user:hunter2@a",
            "http://hunter2@",
            "hunter2@a\x1b",
        ] {
            let words = Server::of(Kind::Pyroscope, wrong).unwrap_err();
            assert!(
                words.contains("accepted") && words.lines().count() == 1,
                "{wrong}: {words}"
            );
            assert!(!words.contains("hunter2"), "{words}");
        }
    }
}
