//! The messages about pushed profiles.

use super::server::Server;
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::output::say;

/// Says where profiles go.
pub fn pushing(server: &Server, has_token: bool) {
    say(&format!(
        "locktoll: profiles of recorded programs go to {}",
        server.address
    ));
    if has_token && !server.is_encrypted && !server.is_here {
        say(&format!(
            "locktoll: the connection to {} is not encrypted, so others on the way can read the token; https:// encrypts it",
            server.address
        ));
    }
}

/// Says why profiles wait.
pub fn waiting(server: &Server, why: &str) {
    say(&format!(
        "locktoll: {} does not take profiles: {}; they are kept, and sent later",
        server.address,
        shown_text(why)
    ));
}

/// Says that a profile is dropped.
pub fn refused(server: &Server, why: &str) {
    say(&format!(
        "locktoll: {} refuses a profile: {}; it is dropped",
        server.address,
        shown_text(why)
    ));
}

/// Says that profiles are sent again.
pub fn sending_again(server: &Server) {
    say(&format!(
        "locktoll: {} takes profiles again",
        server.address
    ));
}

/// Says that profiles cannot be kept.
pub fn not_kept(server: &Server, why: &std::io::Error) {
    say(&format!(
        "locktoll: profiles for {} cannot be written to the queue: {why}; they are dropped",
        server.address
    ));
}
