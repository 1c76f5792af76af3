//! The few DWARF expressions (DWARF 5, 2.5) that occur in call frame information of x86-64, recognised by their
//! bytes.

/// DW_OP_breg6: the frame pointer and a distance.
const FRAME_POINTER: u8 = 0x76;
/// DW_OP_breg7: the stack pointer and a distance.
const STACK_POINTER: u8 = 0x77;
const DEREFERENCE: u8 = 0x06;
const LITERAL_0: u8 = 0x30;

/// For the CFA in a stub of the procedure linkage table, `rsp + 8 + ((rip & 15) >= N) * 8`; returns N.
pub fn linkage_stub(bytes: &[u8]) -> Option<i64> {
    match *bytes {
        // breg7 8; breg16 0; lit15; and; litN; ge; lit3; shl; plus
        [
            STACK_POINTER,
            8,
            0x80,
            0,
            0x3f,
            0x1a,
            literal @ LITERAL_0..=0x3f,
            0x2a,
            0x33,
            0x24,
            0x22,
        ] => Some(i64::from(literal - LITERAL_0)),
        _ => None,
    }
}

/// For the CFA: the value in memory at the returned distance from the frame pointer.
pub fn in_memory(bytes: &[u8]) -> Option<i64> {
    match bytes {
        [FRAME_POINTER, distance @ .., DEREFERENCE] => sleb(distance),
        _ => None,
    }
}

/// For a saved register: the returned distance from the frame pointer.
pub fn from_frame_pointer(bytes: &[u8]) -> Option<i64> {
    match bytes {
        [FRAME_POINTER, distance @ ..] => sleb(distance),
        _ => None,
    }
}

/// For a saved register: the returned distance from the stack pointer.
pub fn from_stack_pointer(bytes: &[u8]) -> Option<i64> {
    match bytes {
        [STACK_POINTER, distance @ ..] => sleb(distance),
        _ => None,
    }
}

/// Returns the signed number in base 128 that fills all of `bytes`, if it is not longer than distances are.
fn sleb(bytes: &[u8]) -> Option<i64> {
    let (last, before) = bytes.split_last()?;
    if bytes.len() > 4 || last & 0x80 != 0 || before.iter().any(|byte| byte & 0x80 == 0) {
        return None;
    }
    let value = bytes
        .iter()
        .rev()
        .fold(0i64, |value, byte| value << 7 | i64::from(byte & 0x7f));
    let unused = 64 - 7 * bytes.len() as u32;
    Some(value << unused >> unused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_that_linkers_and_compilers_write() {
        let stub = [0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22];
        assert_eq!(linkage_stub(&stub), Some(11));
        assert_eq!(linkage_stub(&stub[..10]), None);
        assert_eq!(in_memory(&[0x76, 0x78, 0x06]), Some(-8));
        assert_eq!(in_memory(&[0x76, 0x78]), None);
        assert_eq!(from_frame_pointer(&[0x76, 0]), Some(0));
        assert_eq!(from_stack_pointer(&[0x77, 0xa8, 0x01]), Some(168));
    }

    #[test]
    fn numbers_that_are_no_numbers() {
        for bytes in [
            &[][..],
            &[0x80],
            &[0x01, 0x01],
            &[0x80, 0x80, 0x80, 0x80, 0],
        ] {
            assert_eq!(sleb(bytes), None, "{bytes:x?}");
        }
        assert_eq!(sleb(&[0x7f]), Some(-1));
        assert_eq!(sleb(&[0x80, 0x7f]), Some(-128));
    }
}
