//! Permissions and links of a file that is overwritten.

use std::os::unix::fs::PermissionsExt;

use super::*;

#[test]
fn a_report_that_others_may_not_read_stays_so_and_links_stay_links() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("report", &link).unwrap();
    let write = |text: &str| write_whole(&link, &Content::Plain(text.to_owned())).unwrap();
    // The link leads nowhere yet.
    write("first");
    assert!(link.is_symlink() && !file.is_symlink());
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
    write("second");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "second");
    assert_eq!(
        std::fs::metadata(&file).unwrap().permissions().mode() & 0o7777,
        0o600
    );
    assert!(link.is_symlink());
}

#[test]
fn the_second_document_goes_beside_the_first() {
    for (output, expected) in [
        ("locks.pb.gz", "locks.holders.pb.gz"),
        ("out/locks.pprof", "out/locks.holders.pprof"),
        ("v1.2/locks", "v1.2/locks.holders"),
        (".hidden", ".hidden.holders"),
        ("a.b.pb.gz", "a.b.holders.pb.gz"),
    ] {
        assert_eq!(beside(Path::new(output), "holders"), Path::new(expected));
    }
}
