//! Parts of the page that are drawn here and not by a script: they are in a page only if the profile has them, and a page without
//! them is not longer.
//!
//! - `cycle`: the picture of an order of locks that can end in a deadlock.
//! - `alert`: the alerts on a line of time, with the threads of each.
//! - `markup`: texts as markup.

mod alert;
mod cycle;
mod markup;

use super::super::Selection;

/// Returns the markup of all such parts; empty if there are none.
pub fn drawn(selection: &Selection<'_>) -> String {
    cycle::cycles(selection) + &alert::alerts(selection)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SortKey;
    use locktoll_made_up::sample;
    use locktoll_results::profile::Profile;
    use serde_json::json;

    const HOSTILE: &str = "<script>\"&\u{202e}";

    fn frame(function: &str) -> serde_json::Value {
        json!({ "function": function, "file": "/src/bank.c", "line": 7, "module": "bank", "offset": 16 })
    }

    /// A profile with a cycle of two locks and two alerts.
    fn profile() -> Profile {
        let mut profile = sample::job_server();
        let ids: Vec<String> = profile.locks.iter().map(|it| it.id.clone()).collect();
        let edge = |held: usize, acquired: usize, function: &str| {
            json!({
                "held": ids[held], "acquired": ids[acquired], "held_site": [frame(function)], "acquired_site": [frame(HOSTILE)],
                "held_stack": [], "acquired_stack": [], "held_mode": "exclusive", "acquired_mode": "shared", "waits": true,
                "gates": [], "count": 3, "threads": 2,
            })
        };
        let order = json!({
            "edges": [edge(0, 1, "transfer"), edge(1, 0, "audit")], "unusual": [], "more_edges": 0, "dropped": 0, "unjudged": 0,
            "cycles": [{ "kind": "inversion", "locks": [ids[0], ids[1]], "edges": [0, 1] }],
        });
        profile.order = Some(serde_json::from_value(order).unwrap());
        let thread = |tid: u32| json!({ "tid": tid, "site": frame(HOSTILE), "stack": [frame("write_page")] });
        let alert = |kind: &str, at_ns: u64| {
            json!({
                "at_ns": at_ns, "kind": kind, "lock": ids[0], "name": HOSTILE, "ns": 1_000_000, "pid": 1, "holder": thread(7),
                "waiter": thread(8), "waiters": 1, "waiting": [{ "site": frame("take"), "tids": [8], "longest_ns": 5 }],
            })
        };
        let alerts = json!([alert("hold", 5_000_000), alert("wait", 9_000_000)]);
        profile.alerts = serde_json::from_value(alerts).unwrap();
        profile
    }

    #[test]
    fn a_cycle_and_alerts_are_drawn_and_texts_stay_texts() {
        let profile = profile();
        let markup = drawn(&Selection::new(&profile, SortKey::Wait, None));
        assert_eq!(markup.matches("<svg").count(), 2, "{markup}");
        for text in [
            "transfer (bank.c:7)",
            "audit (bank.c:7)",
            "3 times, by 2 threads",
            "2 alerts",
            "write_page",
        ] {
            assert!(markup.contains(text), "{text}: {markup}");
        }
        assert!(markup.contains("&lt;script&gt;&quot;&amp;"));
        assert!(!markup.contains("<script") && !markup.contains('\u{202e}'));
        // Each element that begins ends.
        for element in [
            "svg", "text", "rect", "table", "tr", "td", "h2", "h3", "div", "p", "title",
        ] {
            let begun = markup.matches(&format!("<{element} ")).count()
                + markup.matches(&format!("<{element}>")).count();
            let ended = markup.matches(&format!("</{element}>")).count();
            let alone = markup.matches("/>").count();
            assert!(
                begun == ended || element == "rect" && alone >= begun - ended,
                "{element}: {begun}, {ended}"
            );
        }
    }

    #[test]
    fn a_page_without_them_is_as_long_as_before() {
        let profile = sample::job_server();
        let selection = Selection::new(&profile, SortKey::Wait, None);
        assert_eq!(drawn(&selection), "");
        let page = |markup: &str| crate::html::page_with("", &[], markup).unwrap();
        assert!(!page("").contains("<aside"));
        assert_eq!(
            page("<p></p>").matches("<aside>\n<p></p></aside>").count(),
            1
        );
    }
}
