//! The messages on standard error.

use std::net::SocketAddr;
use std::path::Path;

use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::output::say;

/// Says where the metrics are.
pub fn serving(address: Option<SocketAddr>, textfile: Option<&Path>) {
    if let Some(address) = address {
        say(&format!(
            "locktoll: metrics at http://{address}/metrics; Ctrl-C ends the agent"
        ));
        if !address.ip().is_loopback() {
            say(&format!(
                "locktoll: other machines can reach {address}, and anyone who reaches it can read the metrics: there is no password and no TLS"
            ));
        }
    }
    if let Some(file) = textfile {
        let file = shown(file.as_os_str());
        say(&format!(
            "locktoll: metrics in {file}; Ctrl-C ends the agent"
        ));
    }
}

/// Says that programs that are not recorded are not seen.
pub fn only_recorded(why: &Failure) {
    say(&format!(
        "locktoll: only programs under `locktoll record` are watched: {why}"
    ));
}

/// Says that a request could not be answered.
pub fn answering_panicked() {
    say(
        "locktoll: answering a request panicked, which is a mistake in locktoll (the message of the panic is above); such requests get the status 500, \
         and others are answered",
    );
}

/// Says that the kernel's tables are filled anew.
pub fn begins_anew(why: &anyhow::Error) {
    say(&format!(
        "locktoll: watching through the kernel starts again; waits of the last interval may be missing: {why:#}"
    ));
}

/// Says that the control group is gone.
pub fn group_is_gone() {
    say(
        "locktoll: the control group is gone; programs are watched again when a group with this path or name appears",
    );
}

/// Says that the file could not be written.
pub fn not_written(why: &Failure) {
    say(&format!("locktoll: {why}; trying again at each interval"));
}
