//! Two tours: their benches and their demonstration programs.

use super::{bench, locks};
use locktoll_results::bench::BenchResult;
use locktoll_results::comparison::Row;
use locktoll_results::profile::Profile;
use locktoll_results::tour::TourResult;

/// One bench of a tour.
type Part = fn(&TourResult) -> &BenchResult;

/// Returns the rows of both benches and of the program, each with the name of its part.
pub fn rows(a: &[&TourResult], b: &[&TourResult], least: f64) -> Vec<Row> {
    let benches = |side: &[&TourResult], of: Part| -> Vec<BenchResult> {
        side.iter().map(|tour| of(tour).clone()).collect()
    };
    let mut rows = Vec::new();
    let parts: [(&str, Part); 2] = [
        ("uncontended", |tour| &tour.uncontended),
        ("contended", |tour| &tour.contended),
    ];
    for (part, of) in parts {
        let (a, b) = (benches(a, of), benches(b, of));
        let (a, b): (Vec<&BenchResult>, Vec<&BenchResult>) =
            (a.iter().collect(), b.iter().collect());
        rows.extend(under(
            part,
            bench::rows(&a, &b, bench::METRICS[0].name, least),
        ));
    }
    let profiles = |side: &[&TourResult]| -> Vec<Profile> {
        side.iter().map(|tour| tour.profile.clone()).collect()
    };
    let (a, b) = (profiles(a), profiles(b));
    let (a, b): (Vec<&Profile>, Vec<&Profile>) = (a.iter().collect(), b.iter().collect());
    rows.extend(under("server", locks::rows(&a, &b, locks::METRICS[0].name)));
    rows
}

fn under(part: &str, mut rows: Vec<Row>) -> Vec<Row> {
    for row in &mut rows {
        row.key = format!("{part}: {}", row.key);
        row.name = format!("{part}: {}", row.name);
    }
    rows
}
