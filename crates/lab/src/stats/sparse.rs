//! The form in which a histogram is passed on: only its non-empty buckets.

use serde::{Deserialize, Serialize};

use super::histogram::{BUCKETS, Histogram};

/// The filled buckets of a [`Histogram`] and its exact maximum.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct Sparse {
    max_ns: u64,
    buckets: Vec<(usize, u64)>,
}

impl From<Histogram> for Sparse {
    fn from(full: Histogram) -> Self {
        let filled = full.buckets.iter().copied().enumerate();
        Self {
            max_ns: full.max_ns,
            buckets: filled.filter(|(_, count)| *count > 0).collect(),
        }
    }
}

impl TryFrom<Sparse> for Histogram {
    type Error = String;

    fn try_from(sparse: Sparse) -> Result<Self, String> {
        let mut full = Self::new();
        for (bucket, count) in sparse.buckets {
            let Some(place) = full.buckets.get_mut(bucket) else {
                return Err(format!("bucket {bucket} where there are {BUCKETS}"));
            };
            *place += count;
            full.count += count;
        }
        full.max_ns = sparse.max_ns;
        Ok(full)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_survives_the_journey() {
        let mut sent = Histogram::new();
        for ns in [0, 7, 7, 1_000, 123_456_789, u64::MAX] {
            sent.record(ns);
        }
        let json = serde_json::to_string(&sent).unwrap();
        assert_eq!(serde_json::from_str::<Histogram>(&json).unwrap(), sent);
    }

    #[test]
    fn a_bucket_out_of_range_is_refused() {
        let json = r#"{"max_ns":1,"buckets":[[99999,1]]}"#;
        assert!(serde_json::from_str::<Histogram>(json).is_err());
    }
}
