//! mariadbd: one thread per connection, and a storage engine with threads of its own.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::contestants::{Run, on_every_lock};
use super::pace::{steps, together};
use super::process::Running;

/// Where Debian has it, which is no folder of an ordinary user's `PATH`.
const SERVER: &str = "/usr/sbin/mariadbd";

const CLIENTS: usize = 4;
const ACCOUNTS: usize = 8;
/// What all accounts have together, whatever is moved between them.
const MONEY: usize = 100 * ACCOUNTS;

#[test]
fn mariadb() {
    if !locktoll_needs::programs(&[SERVER, "mariadb-install-db", "mariadb"]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let empty = folder.path().join("data");
    install(&empty);
    on_every_lock("mariadb", |run| serve(run, &empty));
}

/// What keeps the server small; the format of its files is part of it.
const SMALL: [&str; 4] = [
    "--innodb-log-file-size=4M",
    "--innodb-buffer-pool-size=16M",
    "--innodb-data-file-path=ibdata1:4M:autoextend",
    "--innodb-flush-method=nosync",
];

/// Makes the folder of a server without data, once for all runs.
fn install(data: &Path) {
    let out = Command::new("mariadb-install-db")
        .args([
            "--no-defaults",
            "--skip-test-db",
            "--auth-root-authentication-method=normal",
        ])
        .arg(format!("--datadir={}", data.display()))
        .arg(format!("--user={}", user()))
        .args(SMALL)
        .output()
        .expect("mariadb-install-db runs");
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
}

/// The name of the user who runs the test: as root, the server asks for a name.
fn user() -> String {
    let out = Command::new("id").arg("-un").output().expect("id runs");
    String::from_utf8_lossy(&out.stdout).trim_end().to_owned()
}

fn serve(run: &Run, empty: &Path) -> Result<(), String> {
    let data = run.path("data");
    let copied = Command::new("cp").arg("-r").arg(empty).arg(&data).status();
    if !copied.is_ok_and(|status| status.success()) {
        return Err("the empty folder cannot be copied".to_owned());
    }
    let socket = run.path("socket");
    let mut server = run.command(SERVER);
    server
        .args([
            "--no-defaults",
            "--skip-networking",
            "--skip-grant-tables",
            "--skip-log-bin",
        ])
        .arg(format!("--datadir={}", data.display()))
        .arg(format!("--socket={}", socket.display()))
        .arg(format!("--pid-file={}", run.path("pid").display()))
        .arg(format!("--user={}", user()))
        .args(SMALL);
    let mut server = Running::start(&mut server, run.path("log"))?;
    server.until("it answers", || {
        socket.exists() && ask(&socket, "select 1;").as_deref() == Ok("1\n")
    })?;

    ask(&socket, &schema())?;
    let all = together(CLIENTS, |number| load(&socket, number))?;
    let sums = "select sum(money) from test.accounts; select n from test.counter; select count(*), count(distinct id), \
                sum(length(words)) from test.log; check table test.accounts, test.log extended;";
    let said = ask(&socket, sums)?;
    let expected = format!(
        "{MONEY}\n{all}\n{all}\t{all}\t{}\ntest.accounts\tcheck\tstatus\tOK\ntest.log\tcheck\tstatus\tOK\n",
        all * 200
    );
    match said == expected {
        true => server.stop(),
        false => Err(format!("wrong answer: {said}, not {expected}")),
    }
}

fn schema() -> String {
    let mut words = "create database test; use test;
        create table accounts (id int primary key, money int not null) engine=innodb;
        create table counter (n int not null) engine=innodb; insert into counter values (0);
        create table log (id int auto_increment primary key, client int, words text, key (client)) engine=innodb;\n"
        .to_owned();
    for id in 0..ACCOUNTS {
        let _ = writeln!(words, "insert into accounts values ({id}, 100);");
    }
    words
}

/// Transactions that one client makes of a connection.
const AT_ONCE: usize = 5;

/// Moves money from account to account, counts, and writes down; reads its own and the sum of all, which is always the same.
/// Each step is a connection, and so a thread of the server.
fn load(socket: &Path, number: usize) -> Result<usize, String> {
    let mut rounds = 0;
    for _ in steps() {
        let (mut script, mut expected) = ("use test;\n".to_owned(), String::new());
        for _ in 0..AT_ONCE {
            // In the order of their numbers, so that no two clients wait for each other in a circle.
            let (from, to) = (rounds % (ACCOUNTS - 1), ACCOUNTS - 1);
            let _ = writeln!(
                script,
                "begin; update counter set n = n + 1; update accounts set money = money - 1 where id = {from}; update \
                 accounts set money = money + 1 where id = {to}; insert into log (client, words) values ({number}, \
                 repeat('z', 200)); commit; select sum(money) from accounts; select count(*) from log where client = \
                 {number};"
            );
            rounds += 1;
            let _ = writeln!(expected, "{MONEY}\n{rounds}");
        }
        let said = ask(socket, &script)?;
        if said != expected {
            return Err(format!("client {number} was told {said}, not {expected}"));
        }
    }
    Ok(rounds)
}

/// What the server's own client prints for a script; an error of the server ends it.
fn ask(socket: &Path, script: &str) -> Result<String, String> {
    let mut client = Command::new("mariadb")
        .args([
            "--no-defaults",
            "--batch",
            "--skip-column-names",
            "--connect-timeout=60",
        ])
        .arg(format!("--socket={}", socket.display()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let input = client.stdin.take();
    let script = script.to_owned();
    // Of its own, so that neither side waits for the other to read.
    let writer =
        std::thread::spawn(move || input.map(|mut input| input.write_all(script.as_bytes())));
    let out = client
        .wait_with_output()
        .map_err(|error| error.to_string())?;
    // What could not be written, the client says itself.
    let _ = writer.join();
    match out.status.success() {
        true => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&out.stderr).into_owned()),
    }
}
