//! Pages of `doctor`.

use super::browser::Browser;
use super::{everywhere, pages};

#[test]
fn verbs_come_first_then_each_command_once_then_what_was_found() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let mut tab = browser.open(&pages::of(&[pages::document("doctor")]));
    let text = tab.text("document.getElementById('page').textContent");
    assert!(!text.contains("could not be drawn"), "{text}");
    let rows = |table: usize| {
        format!(
            "[...[...document.querySelectorAll('.table')][{table}].querySelectorAll('tbody th')].map(it => it.textContent.trim())"
        )
    };
    let verbs = tab.texts(&rows(0));
    assert_eq!(verbs.len(), 11, "{verbs:?}");
    assert!(verbs[7].contains("attach"), "{verbs:?}");
    assert!(text.contains("✕ no") && text.contains("◐ in part"));
    let obstacle = "Main obstacle: capabilities (CAP_BPF and CAP_PERFMON are lacking).";
    assert!(text.contains(obstacle), "{text}");

    let commands = "[...document.querySelectorAll('.command code')].map(it => it.textContent)";
    let commands = tab.texts(commands);
    let setcap =
        "sudo setcap cap_bpf,cap_perfmon,cap_sys_ptrace,cap_syslog=ep /home/ann/bin/locktoll";
    assert_eq!(commands[0], setcap);
    assert_eq!(commands.iter().filter(|it| *it == setcap).count(), 1);

    let findings = tab.texts(&rows(1));
    assert!(findings[0].contains("capabilities"), "{findings:?}");
    everywhere::fits(&mut tab);
}
