//! `doctor`.

use crate::program::{locktoll, parsed, printed, stand_in, text};

#[test]
fn it_tells_what_is_there_and_why_the_rest_is_not() {
    let document = parsed(&printed(&["doctor", "--json"]));
    assert_eq!(document["schema"], "locktoll.doctor/1");
    let works = |verb: &str| {
        let verbs = document["verbs"].as_array().unwrap();
        verbs.iter().find(|it| it["verb"] == verb).unwrap()["works"].clone()
    };
    assert_ne!(works("bench"), "not");
    assert_ne!(works("machine"), "not");
    for verb in [
        "record", "try", "whatif", "advise", "attach", "kernel", "top",
    ] {
        assert_eq!(works(verb), "not");
    }
    let finding = |id: &str| {
        let findings = document["findings"].as_array().unwrap();
        findings.iter().find(|it| it["id"] == id).unwrap().clone()
    };
    let real = stand_in().is_none();
    assert_eq!(finding("windows")["state"] == "works", real);
    assert_eq!(finding("wait-on-address")["state"], "works");
    assert!(
        document["binary"]
            .as_str()
            .unwrap()
            .ends_with("locktoll.exe")
    );
}

#[test]
fn a_verb_that_cannot_work_is_code_3() {
    let output = locktoll(&["doctor", "record"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("needs Linux"));
    assert_eq!(locktoll(&["doctor", "tour"]).status.code(), Some(3));
    for verb in ["bench", "reproduce", "report"] {
        printed(&["doctor", verb]);
    }
    assert_eq!(locktoll(&["doctor", "nothing"]).status.code(), Some(2));
}
