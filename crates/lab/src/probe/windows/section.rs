//! The probe family as a whole.

use super::decomposition::decompose;
use super::lines::lines;
use super::probes::run;
use crate::probe::Prices;
use crate::probe::session::Session;

/// Measures everything that involves the kernel.
pub(in crate::probe) fn measure(session: &Session<'_>, prices: &mut Prices) {
    let measured = run(session);
    prices.parts.extend(lines(&measured));
    prices.decomposition = decompose(&measured);
}
