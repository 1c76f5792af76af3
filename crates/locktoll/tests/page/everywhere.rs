//! Properties of a page on any screen.

use super::tab::Tab;

/// Narrow and wide, light and dark: every chart is drawn in the room it has, nothing sticks out, nothing is complained
/// about, nothing is asked of the network. Leaves the window as it was.
pub fn fits(tab: &mut Tab<'_>) {
    let charts = tab.charts().len();
    for dark in [true, false] {
        tab.dark(dark);
        for width in [360, 800, 2560, 1280] {
            tab.size(width, 900);
            tab.wait(
                "[...document.querySelectorAll('.chart-room')].every(it => it.clientWidth === 0 ||
                Math.abs(it.firstElementChild.clientWidth - it.clientWidth) <= 1)",
            );
            let overflow = tab.number("document.documentElement.scrollWidth - innerWidth");
            assert!(overflow <= 0.0, "{width}: {overflow} pixels too wide");
            assert_eq!(tab.charts().len(), charts, "at {width}");
            drawn(tab);
        }
    }
    quiet(tab);
}

/// Every chart that is to be seen has marks beside its axes.
pub fn drawn(tab: &mut Tab<'_>) {
    for (label, shapes) in tab.charts() {
        assert!(shapes > 8, "{label}: {shapes} shapes");
    }
}

/// The browser has nothing to complain about, and nothing was asked for.
pub fn quiet(tab: &mut Tab<'_>) {
    assert_eq!(tab.complaints(), [""; 0]);
    assert_eq!(tab.requests(), [""; 0]);
}

/// Chooses an entry of the list of choices that has this label.
pub fn choose(tab: &mut Tab<'_>, label: &str, entry: &str) {
    let chosen = tab.value(&format!(
        "(() => {{
            const label = [...document.querySelectorAll('.choice label')].find(it => it.textContent === {label:?});
            const list = document.getElementById(label.htmlFor);
            const entry = [...list.options].findIndex(it => it.textContent === {entry:?});
            list.selectedIndex = entry;
            list.dispatchEvent(new Event('change'));
            return entry >= 0;
        }})()"
    ));
    assert_eq!(chosen, true, "{label}: {entry}");
    tab.settle();
}
