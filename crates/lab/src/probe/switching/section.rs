//! The probe family as a whole.

use super::super::Prices;
use super::super::session::Session;
use super::decomposition::decompose;
use super::lines::lines;
use super::probes::run;

/// Measures everything that involves the kernel.
pub(in super::super) fn measure(session: &Session<'_>, prices: &mut Prices) {
    let measured = run(session);
    prices.parts.extend(lines(&measured));
    prices.decomposition = decompose(&measured);
}
