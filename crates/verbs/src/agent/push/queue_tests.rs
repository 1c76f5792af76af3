use std::fs;

use super::super::item::Head;
use super::*;

fn item(path: &str, bytes: usize) -> Item {
    Item {
        head: Head {
            path: path.to_owned(),
            media_type: String::new(),
            encoding: None,
        },
        body: vec![7; bytes],
    }
}

fn next(queue: &Queue) -> (u64, String) {
    let (number, item) = queue.oldest();
    (number, item.unwrap().unwrap().head.path)
}

#[test]
fn requests_leave_in_the_order_in_which_they_came_also_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Queue::open(folder.path(), 1 << 20).unwrap();
    for path in ["/a", "/b", "/c"] {
        queue.put(&item(path, 10)).unwrap();
    }
    let (number, path) = next(&queue);
    assert_eq!(path, "/a");
    queue.was_sent(number);
    assert_eq!(next(&queue).1, "/b");
    let counts = queue.counts();
    assert_eq!((counts.sent, counts.dropped), (1, 0));
    drop(queue);
    fs::write(folder.path().join(".unfinished-1"), "{").unwrap();
    fs::write(folder.path().join("notes.txt"), "of somebody").unwrap();
    let queue = Queue::open(folder.path(), 1 << 20).unwrap();
    assert_eq!(queue.counts().queued_bytes, counts.queued_bytes);
    queue.put(&item("/d", 10)).unwrap();
    for expected in ["/b", "/c", "/d"] {
        let (number, path) = next(&queue);
        assert_eq!(path, expected);
        queue.was_sent(number);
    }
    assert_eq!(queue.counts().queued_bytes, 0);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn beyond_the_bound_the_oldest_is_dropped_but_not_the_one_under_way() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Queue::open(folder.path(), 4000).unwrap();
    queue.put(&item("/first", 1000)).unwrap();
    let (first, _) = next(&queue);
    for number in 0..9 {
        queue.put(&item(&format!("/{number}"), 1000)).unwrap();
        assert!(queue.counts().queued_bytes <= 4000);
    }
    assert_eq!(queue.counts().dropped, 7);
    queue.was_sent(first);
    let (number, path) = next(&queue);
    assert_eq!(path, "/7");
    queue.drop_one(number);
    queue.put(&item("/large", 5000)).unwrap();
    assert_eq!(queue.counts().dropped, 9);
    assert_eq!(next(&queue).1, "/8");
    // A smaller bound holds for what is there, too.
    let smaller = Queue::open(folder.path(), 10).unwrap();
    assert_eq!(smaller.counts().queued_bytes, 0);
}

#[test]
fn what_cannot_be_written_or_read_is_counted_or_found() {
    let folder = tempfile::tempdir().unwrap();
    let within = folder.path().join("queue");
    fs::create_dir(&within).unwrap();
    let queue = Queue::open(&within, 1 << 20).unwrap();
    queue.put(&item("/a", 10)).unwrap();
    let (number, _) = next(&queue);
    fs::write(within.join(name_of(number)), "damaged").unwrap();
    assert_eq!(queue.oldest().1.unwrap(), None);
    // A folder in its place stands for a disk that fails: what cannot be read now may be whole.
    fs::remove_file(within.join(name_of(number))).unwrap();
    fs::create_dir(within.join(name_of(number))).unwrap();
    assert!(queue.oldest().1.is_err());
    fs::remove_dir_all(&within).unwrap();
    assert_eq!(queue.oldest().1.unwrap(), None);
    assert!(queue.put(&item("/b", 10)).is_err());
    assert_eq!(queue.counts().dropped, 1);
}
