//! Results in the encodings of Windows' shells, and the commands in the help.

use crate::program::{bench, parsed, printed};

#[test]
fn what_windows_powershell_wrote_is_read() {
    let result = bench(&["--lock=std", "--threads=1", "--duration=10ms"]);
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (plain, redirected) = (place("plain.json"), place("redirected.json"));
    let text = format!("{result:#}");
    std::fs::write(&plain, &text).unwrap();
    // As `>` does there: a mark, UTF-16, and lines that end as Windows' do.
    let lines = format!("\u{feff}{}\r\n", text.replace('\n', "\r\n"));
    let bytes: Vec<u8> = lines.encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(&redirected, bytes).unwrap();
    let comparison = parsed(&printed(&["compare", &plain, &redirected, "--json"]));
    assert_eq!(comparison["rows"].as_array().unwrap().len(), 1);
    assert_eq!(
        comparison["rows"][0]["ratio"]["median"], 1.0,
        "{comparison}"
    );
    assert_eq!(
        printed(&["report", &plain]),
        printed(&["report", &redirected])
    );
}

#[test]
fn examples_can_be_typed_in_cmd_exe() {
    for verb in [
        "bench",
        "machine",
        "reproduce",
        "report",
        "compare",
        "doctor",
    ] {
        let help = printed(&[verb, "--help"]);
        let examples: Vec<&str> = help
            .lines()
            .skip_while(|line| *line != "EXAMPLES")
            .take_while(|line| !line.is_empty())
            .collect();
        assert!(examples.len() > 2, "{verb}: {help}");
        for line in examples {
            // Single quotes are letters there, and /dev is no folder.
            assert!(
                !line.contains('\'') && !line.contains("/dev/"),
                "{verb}: {line}"
            );
        }
        assert!(!help.contains("XDG"), "{verb}: {help}");
    }
}
