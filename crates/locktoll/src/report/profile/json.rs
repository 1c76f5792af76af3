//! A profile as one JSON document.

use crate::profile::Profile;

/// The document, with an end of line.
pub fn json(profile: &Profile) -> anyhow::Result<String> {
    let mut document = serde_json::to_string_pretty(profile)?;
    document.push('\n');
    Ok(document)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::sample;

    #[test]
    fn the_schema_comes_first_and_what_is_not_measured_is_null() {
        let mut profile = sample::job_server();
        profile.recorder.ns_per_pair = None;
        profile.locks[0].hold_ns = None;
        let document = json(&profile).unwrap();
        assert!(document.starts_with("{\n  \"schema\": \"locktoll.profile/1\""));
        let value: serde_json::Value = serde_json::from_str(&document).unwrap();
        let lock = &value["locks"][0];
        assert!(lock["hold_ns"].is_null() && lock.get("hold_ns").is_some());
        assert!(value["recorder"]["ns_per_pair"].is_null());
        assert_eq!(lock["wait_ns"]["total"], 9_120_000_000_u64);
        for field in [
            "command",
            "duration_ns",
            "threads",
            "processes",
            "recorder",
            "dropped",
        ] {
            assert!(value.get(field).is_some(), "{field}");
        }
        for field in [
            "id",
            "kind",
            "name",
            "first_site",
            "instances",
            "acquisitions",
            "contended",
            "try_failed",
            "wait_ns",
            "hold_ns",
            "blame",
        ] {
            assert!(lock.get(field).is_some(), "{field}");
        }
    }

    #[test]
    fn a_profile_survives_the_way_through_json() {
        let profile = sample::job_server();
        let back: Profile = serde_json::from_str(&json(&profile).unwrap()).unwrap();
        assert_eq!(back, profile);
    }
}
