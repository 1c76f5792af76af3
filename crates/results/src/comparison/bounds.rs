//! A figure of one side in JSON. A figure that was measured once does not have bounds.

use locktoll_lab::stats::Estimate;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// With fewer samples than this, there is no interval.
const SEVERAL: usize = 2;

/// An estimate as it is saved.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Saved {
    median: f64,
    low: Option<f64>,
    high: Option<f64>,
    n: usize,
}

/// Writes an estimate, with the bounds of a single figure as `null`.
pub fn serialize<S: Serializer>(it: &Option<Estimate>, to: S) -> Result<S::Ok, S::Error> {
    let saved = it.map(|it| {
        let bound = |bound| (it.n >= SEVERAL).then_some(bound);
        Saved {
            median: it.median,
            low: bound(it.low),
            high: bound(it.high),
            n: it.n,
        }
    });
    saved.serialize(to)
}

/// Reads an estimate back; a single figure becomes its own bounds.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Estimate>, D::Error> {
    let saved = Option::<Saved>::deserialize(from)?;
    Ok(saved.map(|it| Estimate {
        median: it.median,
        low: it.low.unwrap_or(it.median),
        high: it.high.unwrap_or(it.median),
        n: it.n,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(Serialize, Deserialize)]
    struct Holder(#[serde(with = "super")] Option<Estimate>);

    #[test]
    fn one_measurement_has_no_bounds_and_several_have() {
        for (n, low) in [(1, json!(null)), (2, json!(5.0))] {
            let figure = Estimate {
                median: 5.0,
                low: 5.0,
                high: 5.0,
                n,
            };
            let saved = serde_json::to_value(Holder(Some(figure))).unwrap();
            assert_eq!(saved["low"], low);
            assert_eq!(saved["median"], 5.0);
            let Holder(read) = serde_json::from_value(saved).unwrap();
            assert_eq!(read, Some(figure));
        }
    }
}
