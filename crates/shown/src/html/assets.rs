//! The files that are part of every page.

/// The page without its contents.
pub const TEMPLATE: &str = include_str!("assets/page.html");

/// The style sheets.
pub const STYLES: &[&str] = &[
    include_str!("assets/colours.css"),
    include_str!("assets/page.css"),
    include_str!("assets/answer.css"),
    include_str!("assets/tables.css"),
    include_str!("assets/drawers.css"),
    include_str!("assets/profile/profile.css"),
    include_str!("assets/paper.css"),
];

/// The page's own scripts, in the order in which they run: first what all drawers need, then one drawer per schema.
pub const SCRIPTS: &[&str] = &[
    include_str!("assets/page.js"),
    include_str!("assets/element.js"),
    include_str!("assets/quantity.js"),
    include_str!("assets/answer.js"),
    include_str!("assets/theme.js"),
    include_str!("assets/chart.js"),
    include_str!("assets/table.js"),
    include_str!("assets/lengths.js"),
    include_str!("assets/flame.js"),
    include_str!("assets/plots.js"),
    include_str!("assets/dots.js"),
    include_str!("assets/surroundings.js"),
    include_str!("assets/bench/cells.js"),
    include_str!("assets/bench/answer.js"),
    include_str!("assets/bench/lines.js"),
    include_str!("assets/bench/detail.js"),
    include_str!("assets/bench/waits.js"),
    include_str!("assets/bench/bench.js"),
    include_str!("assets/machine/hand_over.js"),
    include_str!("assets/machine/prices.js"),
    include_str!("assets/machine/caches.js"),
    include_str!("assets/machine/machine.js"),
    include_str!("assets/reproduce/published.js"),
    include_str!("assets/reproduce/counts.js"),
    include_str!("assets/reproduce/claim.js"),
    include_str!("assets/reproduce/reproduce.js"),
    include_str!("assets/reproduce/merged.js"),
    include_str!("assets/compare/words.js"),
    include_str!("assets/compare/answer.js"),
    include_str!("assets/compare/compare.js"),
    include_str!("assets/kernel.js"),
    include_str!("assets/hang.js"),
    include_str!("assets/trial/words.js"),
    include_str!("assets/trial/trial.js"),
    include_str!("assets/tour.js"),
    include_str!("assets/doctor.js"),
    include_str!("assets/profile/words.js"),
    include_str!("assets/profile/time.js"),
    include_str!("assets/profile/answer.js"),
    include_str!("assets/profile/locks.js"),
    include_str!("assets/profile/lines.js"),
    include_str!("assets/profile/opened.js"),
    include_str!("assets/profile/blame.js"),
    include_str!("assets/profile/flame.js"),
    include_str!("assets/profile/rest.js"),
    include_str!("assets/profile/spinning.js"),
    include_str!("assets/profile/profile.js"),
];

/// The script of a result of `whatif`, for the pages that have one.
pub const WHATIF_SCRIPTS: &[&str] = &[include_str!("assets/whatif.js")];

/// The style sheet of a timeline, for the pages that have one.
pub const TIMELINE_STYLE: &str = include_str!("assets/timeline/timeline.css");

/// The scripts of a timeline, for the pages that have one. They run after the others.
pub const TIMELINE_SCRIPTS: &[&str] = &[
    include_str!("assets/timeline/data.js"),
    include_str!("assets/timeline/lanes.js"),
    include_str!("assets/timeline/find.js"),
    include_str!("assets/timeline/paint.js"),
    include_str!("assets/timeline/move.js"),
    include_str!("assets/timeline/map.js"),
    include_str!("assets/timeline/picked.js"),
    include_str!("assets/timeline/interval.js"),
    include_str!("assets/timeline/pick.js"),
    include_str!("assets/timeline/tools.js"),
    include_str!("assets/timeline/timeline.js"),
];
