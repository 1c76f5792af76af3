//! The libraries that this binary contains, built by `build.rs`.

#[cfg(target_os = "linux")]
use locktoll_verbs::run_program::embedded::{Carried, carry};

#[cfg(target_os = "linux")]
const CARRIED: Carried = Carried {
    recorder: include_bytes!(concat!(env!("OUT_DIR"), "/liblocktoll_preload.so.z")),
    substitute: include_bytes!(concat!(env!("OUT_DIR"), "/liblocktoll_substitute.so.z")),
};

/// Hands them to the verbs that put them under programs.
pub fn hand_over() {
    #[cfg(target_os = "linux")]
    carry(CARRIED);
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use locktoll_verbs::run_program::embedded::Library;

    #[test]
    fn the_carried_libraries_are_shared_objects() {
        super::hand_over();
        for library in [Library::Recorder, Library::Substitute] {
            let bytes = library.bytes().unwrap();
            assert!(bytes.starts_with(b"\x7fELF"));
            assert_eq!(bytes[16], 3, "ET_DYN");
        }
    }
}
