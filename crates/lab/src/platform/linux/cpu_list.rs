//! Lists of CPUs in the kernel's files.

use super::super::records::cpu_list::range;

/// Reads a list that the kernel wrote; `None` if it is malformed or absurdly long.
pub(super) fn parse_kernel_list(text: &str) -> Option<Vec<usize>> {
    const MOST: usize = 1 << 16;
    let mut cpus = Vec::new();
    for part in text.split(',') {
        let (first, last) = range(part)?;
        if last >= MOST {
            return None;
        }
        cpus.extend(first..=last);
    }
    Some(cpus)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::format_cpu_list;
    use proptest::prelude::*;

    #[test]
    fn the_kernels_own_lists() {
        assert_eq!(parse_kernel_list("0-1,7"), Some(vec![0, 1, 7]));
        assert_eq!(parse_kernel_list("0-99999999999"), None);
        assert_eq!(parse_kernel_list(""), None);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(cpus in prop::collection::btree_set(0usize..300, 1..40)) {
            let cpus: Vec<usize> = cpus.into_iter().collect();
            let text = format_cpu_list(&cpus);
            prop_assert_eq!(parse_kernel_list(&text), Some(cpus));
        }

        #[test]
        fn no_text_makes_it_panic(text in "[-0-9, a]{0,30}") {
            let _ = parse_kernel_list(&text);
        }
    }
}
