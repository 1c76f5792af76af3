//! How a process ended, in words and as a reason.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::process::Signal;

use locktoll_results::trial::WhyDropped;

/// Returns the reason for which a program with this exit status has failed.
pub fn why(status: ExitStatus, said: Option<String>) -> WhyDropped {
    match status.signal() {
        Some(number) => WhyDropped::Signal {
            number,
            name: signal_name(number),
            said,
        },
        None => WhyDropped::ExitCode {
            code: status.code().unwrap_or_default(),
            said,
        },
    }
}

/// `the load ended with exit code 3: what it said`.
pub fn words(who: &str, status: ExitStatus, said: Option<&str>) -> String {
    let how = match status.signal() {
        Some(number) => format!("was ended by {}", signal_name(number)),
        None => format!("ended with exit code {}", status.code().unwrap_or_default()),
    };
    match said {
        Some(said) => format!("{who} {how}: {said}"),
        None => format!("{who} {how} and said nothing"),
    }
}

/// Returns the name of a signal, such as `SIGSEGV`.
pub fn signal_name(number: i32) -> String {
    let name = match Signal::from_named_raw(number) {
        Some(Signal::HUP) => "SIGHUP",
        Some(Signal::INT) => "SIGINT",
        Some(Signal::QUIT) => "SIGQUIT",
        Some(Signal::ILL) => "SIGILL",
        Some(Signal::TRAP) => "SIGTRAP",
        Some(Signal::ABORT) => "SIGABRT",
        Some(Signal::BUS) => "SIGBUS",
        Some(Signal::FPE) => "SIGFPE",
        Some(Signal::KILL) => "SIGKILL",
        Some(Signal::USR1) => "SIGUSR1",
        Some(Signal::SEGV) => "SIGSEGV",
        Some(Signal::USR2) => "SIGUSR2",
        Some(Signal::PIPE) => "SIGPIPE",
        Some(Signal::ALARM) => "SIGALRM",
        Some(Signal::TERM) => "SIGTERM",
        Some(Signal::XCPU) => "SIGXCPU",
        Some(Signal::XFSZ) => "SIGXFSZ",
        Some(Signal::SYS) => "SIGSYS",
        _ => return format!("signal {number}"),
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_told_by_its_signal_or_its_code() {
        let by_signal = ExitStatus::from_raw(11);
        let by_code = ExitStatus::from_raw(3 << 8);
        assert_eq!(
            words("the load", by_signal, None),
            "the load was ended by SIGSEGV and said nothing"
        );
        assert_eq!(
            words("it", by_code, Some("no")),
            "it ended with exit code 3: no"
        );
        assert!(matches!(
            why(by_signal, None),
            WhyDropped::Signal { number: 11, .. }
        ));
        assert!(matches!(
            why(by_code, None),
            WhyDropped::ExitCode { code: 3, .. }
        ));
        assert_eq!(signal_name(40), "signal 40");
    }

    #[test]
    fn signals_that_end_a_program_have_their_names() {
        for (number, name) in [
            (libc::SIGHUP, "SIGHUP"),
            (libc::SIGINT, "SIGINT"),
            (libc::SIGQUIT, "SIGQUIT"),
            (libc::SIGILL, "SIGILL"),
            (libc::SIGTRAP, "SIGTRAP"),
            (libc::SIGABRT, "SIGABRT"),
            (libc::SIGBUS, "SIGBUS"),
            (libc::SIGFPE, "SIGFPE"),
            (libc::SIGKILL, "SIGKILL"),
            (libc::SIGUSR1, "SIGUSR1"),
            (libc::SIGSEGV, "SIGSEGV"),
            (libc::SIGUSR2, "SIGUSR2"),
            (libc::SIGPIPE, "SIGPIPE"),
            (libc::SIGALRM, "SIGALRM"),
            (libc::SIGTERM, "SIGTERM"),
            (libc::SIGXCPU, "SIGXCPU"),
            (libc::SIGXFSZ, "SIGXFSZ"),
            (libc::SIGSYS, "SIGSYS"),
        ] {
            assert_eq!(signal_name(number), name);
        }
    }
}
