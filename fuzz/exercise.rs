//! What is done with an input: the fuzz target and the bounded run among the tests share it.

use locktoll_recording::reader::{ReadError, Recording, append_part};

/// Reads `bytes` as a recording and looks at all of it. Must neither panic nor hang, whatever the bytes are.
pub fn exercise(bytes: &[u8]) {
    let recording = match Recording::from_bytes(bytes) {
        Ok(recording) => recording,
        Err(error) => {
            assert!(
                !matches!(error, ReadError::Io(_)),
                "a slice cannot fail to be read"
            );
            assert_eq!(error.to_string().lines().count(), 1);
            return;
        }
    };
    for warning in &recording.warnings {
        assert_eq!(warning.to_string().lines().count(), 1);
    }
    for part in &recording.parts {
        // Every index handed out leads somewhere.
        for count in &part.counts {
            assert!(count.site.is_none_or(|site| site < part.sites.len()));
            let _ = part.elf_address(count.lock_address);
        }
        for site in &part.sites {
            assert!(site.module.is_none_or(|module| module < part.modules.len()));
        }
        let _ = part.dropped.iter().count();
    }
    // A part that can be read can be appended, and is the same afterwards, but for what its end cut off.
    let mut copy = Vec::new();
    if let Err(error) = append_part(&mut copy, bytes) {
        assert!(matches!(error, ReadError::Truncated { .. }), "{error}");
        return;
    }
    let again = Recording::from_bytes(&copy).expect("a copy of a readable part");
    assert_eq!(again.parts.len(), 1);
    let (first, copied) = (&recording.parts[0], &again.parts[0]);
    assert_eq!(first.process.pid, copied.process.pid);
    assert!(copied.counts.len() <= first.counts.len());
}
