//! What is done with an input: the fuzz target and the bounded run among the tests share it.

use locktoll_recording::appendix::{Appendix, NewSymbol};
use locktoll_recording::reader::{
    Interval, RawPart, ReadError, Recording, append_part_with, since,
};

/// Takes `bytes` for two looks of `snapshot` at one part: the second has nothing new, and all that is made of them can be read.
fn looks(bytes: &[u8]) {
    let parts = RawPart::read_all(bytes).expect("its first header is whole");
    for part in &parts {
        let interval = Interval {
            began_ns: Some((u64::MAX, 0)),
            now_ns: Some(1),
        };
        let first = since(part, None, interval);
        let second = since(part, Some(&first.reported), interval);
        assert!(!second.difference.has_counts());
        for made in [first.difference, second.difference, second.reported] {
            let read = Recording::from_bytes(&made.bytes()).expect("what we made");
            assert_eq!(read.parts.len(), 1);
        }
        // An earlier look at something else.
        for other in &parts {
            let _ = since(part, Some(other), interval);
        }
    }
}

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
        let is_site = |site: Option<usize>| site.is_none_or(|site| site < part.sites.len());
        let is_stack = |stack: Option<usize>| stack.is_none_or(|stack| stack < part.stacks.len());
        for count in &part.counts {
            assert!(is_site(count.site));
            assert!(count.birth.is_none_or(|birth| birth < part.births.len()));
            let _ = part.elf_address(count.lock_address);
        }
        let holds = part.holds.iter().map(|hold| hold.key);
        let blames = part.blames.iter().map(|blame| blame.key);
        let waits = part.stack_waits.iter().map(|wait| wait.key);
        for key in holds.chain(blames).chain(waits) {
            assert!(is_site(key.site));
            assert!(key.birth.is_none_or(|birth| birth < part.births.len()));
        }
        assert!(part.blames.iter().all(|blame| is_site(blame.holder_site)));
        assert!(part.stack_waits.iter().all(|wait| is_stack(wait.stack)));
        assert!(
            part.births
                .iter()
                .all(|birth| is_stack(birth.stack) && is_site(birth.site))
        );
        for stack in &part.stacks {
            assert!(stack.sites.iter().all(|&site| is_site(site)));
        }
        for thread in &part.threads {
            assert!(is_site(thread.start_routine));
        }
        assert!(part.symbols.iter().all(|symbol| is_site(Some(symbol.site))));
        for variable in &part.variables {
            assert!(
                variable
                    .module
                    .is_none_or(|module| module < part.modules.len())
            );
            assert!(variable.address.checked_add(variable.bytes).is_some());
        }
        for site in &part.sites {
            assert!(site.module.is_none_or(|module| module < part.modules.len()));
        }
        let _ = part.dropped.iter().count();
    }
    looks(bytes);
    // A part that can be read can be appended, and is the same afterwards, but for what its end cut off.
    let appendix = Appendix::new(
        &[NewSymbol {
            site_id: 1,
            ..NewSymbol::default()
        }],
        &[],
    );
    let mut copy = Vec::new();
    if let Err(error) = append_part_with(&mut copy, bytes, &appendix) {
        assert!(matches!(error, ReadError::Truncated { .. }), "{error}");
        return;
    }
    let again = Recording::from_bytes(&copy).expect("a copy of a readable part");
    assert_eq!(again.parts.len(), 1);
    let (first, copied) = (&recording.parts[0], &again.parts[0]);
    assert_eq!(first.process.pid, copied.process.pid);
    assert!(copied.counts.len() <= first.counts.len());
}
