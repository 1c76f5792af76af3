//! The messages about pushed profiles.

use super::answer::Reason;
use super::server::Server;
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::output::say;

/// Says where profiles go.
pub fn pushing(server: &Server, has_token: bool) {
    say(&format!(
        "locktoll: profiles of recorded programs go to {}",
        server.name()
    ));
    if has_token && !server.is_encrypted && !server.is_here {
        say(&format!(
            "locktoll: the connection to {} is not encrypted, so other machines on the network path can read the token; use https://",
            server.name()
        ));
    }
}

/// Says why profiles wait.
pub fn waiting(server: &Server, why: &Reason) {
    say(&format!(
        "locktoll: cannot send profiles to {}: {}; they are kept, and sent later",
        server.name(),
        shown_text(&why.to_string())
    ));
}

/// Says that a profile is dropped.
pub fn refused(server: &Server, why: &Reason) {
    say(&format!(
        "locktoll: a profile for {} is dropped: {}",
        server.name(),
        shown_text(&why.to_string())
    ));
}

/// Says what the server says about a profile that it has taken.
pub fn remark(server: &Server, why: &Reason) {
    say(&format!(
        "locktoll: profiles are sent to {}: {}",
        server.name(),
        shown_text(&why.to_string())
    ));
}

/// Says that profiles are sent again.
pub fn sending_again(server: &Server) {
    say(&format!(
        "locktoll: profiles are sent to {} again",
        server.name()
    ));
}

/// Says that profiles cannot be kept.
pub fn not_kept(server: &Server, why: &std::io::Error) {
    say(&format!(
        "locktoll: profiles for {} cannot be written to the queue: {why}; they are dropped",
        server.name()
    ));
}
