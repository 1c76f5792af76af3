//! The order in which pairs of CPUs are measured: if time is short, the measured pairs are spread over the whole
//! matrix.

/// Iterates over all pairs `(row, column)` of `count` CPUs in both directions, without the diagonal, in a scattered order.
///
/// Both directions of a pair follow each other. A stride that shares no divisor with the number of pairs visits each pair once.
/// With a stride near the golden section of that number, every beginning of the sequence is spread evenly (Knuth, *The Art of
/// Computer Programming*, volume 3, section 6.4).
pub(super) fn spread(count: usize) -> impl Iterator<Item = (usize, usize)> {
    let pairs = count * count.saturating_sub(1) / 2;
    let mut stride = ((pairs as f64 * 0.618_033_988_75) as usize).max(1);
    while divisor(stride, pairs) > 1 {
        stride += 1;
    }
    (0..pairs).flat_map(move |index| {
        let (low, high) = pair(index * stride % pairs);
        [(low, high), (high, low)]
    })
}

/// The pairs in rows: (0,1), (0,2), (1,2), (0,3) ...
fn pair(index: usize) -> (usize, usize) {
    let mut high = 1;
    let mut before = 0;
    while before + high <= index {
        before += high;
        high += 1;
    }
    (index - before, high)
}

fn divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_pair_once_in_both_directions() {
        for count in [0, 1, 2, 3, 4, 7, 16, 64] {
            let all: Vec<_> = spread(count).collect();
            let distinct: BTreeSet<_> = all.iter().copied().collect();
            assert_eq!(all.len(), count * count.saturating_sub(1), "{count}");
            assert_eq!(distinct.len(), all.len(), "{count}");
            assert!(all.iter().all(|(a, b)| a != b && *a < count && *b < count));
            assert!(all.chunks(2).all(|both| both[0] == (both[1].1, both[1].0)));
        }
    }

    #[test]
    fn a_tenth_of_the_pairs_touches_every_cpu() {
        let count = 64;
        let some: Vec<_> = spread(count).take(count * (count - 1) / 10).collect();
        let rows: BTreeSet<_> = some.iter().map(|(row, _)| *row).collect();
        assert_eq!(rows.len(), count);
    }
}
