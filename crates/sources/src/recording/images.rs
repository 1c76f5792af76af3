//! The images of a process: one that becomes another program, or begins its own again (exec), has a part for each.

use std::collections::HashMap;
use std::path::Path;

use locktoll_recording::layout::Origin;
use locktoll_recording::reader::{Image, Process, RawPart, ReadError, program};

use super::part_files::PartFile;

/// Says of each part that is added up, in this order, what the other parts of its process say. `staying` are not added up yet; `read` reads
/// one of them.
pub fn images(
    ended: &[RawPart],
    staying: &[PartFile],
    read: impl Fn(&Path) -> Result<Option<RawPart>, ReadError>,
) -> Result<Vec<Image>, ReadError> {
    let mut by_pid: HashMap<u32, Vec<usize>> = HashMap::new();
    for (number, part) in ended.iter().enumerate() {
        by_pid.entry(part.process().pid).or_default().push(number);
    }
    let mut images = Vec::new();
    for (number, part) in ended.iter().enumerate() {
        let own = part.process();
        let others = by_pid[&own.pid].iter().filter(|&&it| it != number);
        let others: Vec<(usize, &RawPart)> = others.map(|&it| (it, &ended[it])).collect();
        let stay: Vec<&PartFile> = staying
            .iter()
            .filter(|it| are_of_one_process(own, &it.process))
            .collect();
        let all = others.iter().map(|(_, it)| it.process());
        let all = all.chain(stay.iter().map(|it| &it.process));
        let next = all.filter(|it| becomes(own, it));
        let next = next.min_by_key(|it| it.sequence);
        let own_program = program(part);
        let mut comes_again = others.iter().any(|(later, it)| {
            *later > number && are_of_one_process(own, it.process()) && program(it) == own_program
        });
        for file in stay {
            comes_again |= read(&file.path)?.is_some_and(|it| program(&it) == own_program);
        }
        images.push(Image {
            next_ns: next.map(|it| it.start_monotonic_ns),
            comes_again,
        });
    }
    Ok(images)
}

fn are_of_one_process(a: &Process, b: &Process) -> bool {
    becomes(a, b) || becomes(b, a)
}

/// Whether `later` is an image that the process of `earlier` became. A process that has noted its end became nothing: its number was used
/// again.
fn becomes(earlier: &Process, later: &Process) -> bool {
    earlier.pid == later.pid
        && earlier.sequence < later.sequence
        && earlier.end_monotonic_ns.is_none()
        && later.origin == Some(Origin::Exec)
}
