//! Parts without their unused room.

use locktoll_recording::appendix::Appendix;
use locktoll_recording::layout::{NO_OWNER, PAGE_BYTES, ThreadRecord};
use locktoll_recording::reader::{Modules, Recording, append_compacted};
use proptest::prelude::*;

use super::builder::{Builder, sample, store};

fn compacted(part: &[u8], modules: Modules) -> Vec<u8> {
    let mut bytes = Vec::new();
    append_compacted(&mut bytes, part, &Appendix::default(), modules).unwrap();
    bytes
}

#[test]
fn nothing_is_lost_but_room() {
    let whole = sample(7).bytes();
    let compact = compacted(&whole, Modules::IfCalledFrom);
    let read = |bytes: &[u8]| {
        let recording = Recording::from_bytes(bytes).unwrap();
        assert_eq!(recording.warnings, []);
        format!("{:#?}", recording.parts)
    };
    assert_eq!(read(&compact), read(&whole));
    assert!(compact.len() <= whole.len());
    assert_eq!(compacted(&compact, Modules::IfCalledFrom), compact);
}

#[test]
fn a_process_that_used_no_lock_leaves_its_life_alone() {
    let mut builder = Builder::new(7, b"true");
    builder.module(1, b"/usr/bin/true");
    let mut lives = builder.segment::<ThreadRecord>(NO_OWNER, 100, 0);
    lives.append(|thread| store!(thread, tid = 7, start_ns = 2_500));
    let whole = builder.bytes();
    let compact = compacted(&whole, Modules::IfCalledFrom);
    assert_eq!(
        compact.len() as u64,
        2 * PAGE_BYTES,
        "the header, and a life"
    );
    let part = &Recording::from_bytes(&compact).unwrap().parts[0];
    assert_eq!((part.threads[0].tid, part.modules.len()), (7, 0));
    let all = compacted(&whole, Modules::All);
    assert!(
        !Recording::from_bytes(&all).unwrap().parts[0]
            .modules
            .is_empty()
    );
}

#[test]
fn a_part_that_is_damaged_or_cut_off_stays_as_it_is() {
    let whole = sample(7).bytes();
    let cut = &whole[..whole.len() - PAGE_BYTES as usize];
    assert_eq!(compacted(cut, Modules::IfCalledFrom).len(), cut.len());
    let mut damaged = whole;
    damaged[PAGE_BYTES as usize] ^= 1;
    let appended = compacted(&damaged, Modules::IfCalledFrom);
    assert_eq!(appended.len(), damaged.len());
    let warnings = Recording::from_bytes(&appended).unwrap().warnings;
    assert_eq!(warnings.len(), 1, "a reader still sees the damage");
}

proptest! {
    #[test]
    fn whatever_a_part_says_it_is_appended_or_refused(
        damages in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = sample(7).bytes();
        for (place, byte) in damages {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let mut appended = Vec::new();
        let modules = Modules::IfCalledFrom;
        if append_compacted(&mut appended, &bytes[..], &Appendix::default(), modules).is_ok() {
            prop_assert!((appended.len() as u64).is_multiple_of(PAGE_BYTES));
            prop_assert!(appended.len() <= bytes.len());
        }
    }
}
