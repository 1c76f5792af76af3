//! Programs that serve, and who asks them. Loopback or a socket file only; each run starts a server anew and ends it.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

use super::memcached_load;
use super::subject::{Sample, Subject};
use super::way::{Place, Server, Way};

/// A server that has not answered by then never will.
const PATIENCE: Duration = Duration::from_secs(30);

pub fn all() -> Vec<Box<dyn Subject>> {
    vec![Box::new(Memcached), Box::new(Redis), Box::new(MariaDb)]
}

/// memcached with four threads, asked over four connections.
struct Memcached;

impl Subject for Memcached {
    fn name(&self) -> &str {
        "memcached -t 4, gets and sets"
    }

    fn needs(&self) -> &[&str] {
        &["memcached"]
    }

    fn prepare(&mut self, _place: &Place) -> anyhow::Result<()> {
        Ok(())
    }

    fn run(&self, place: &Place, way: Way) -> anyhow::Result<Sample> {
        let port = free_port()?;
        let number = port.to_string();
        let words = [
            "memcached",
            "-l",
            "127.0.0.1",
            "-p",
            &number,
            "-U",
            "0",
            "-t",
            "4",
            "-u",
            "root",
        ];
        let mut server = place.command(way, &words)?.server()?;
        await_port(&mut server, port)?;
        let begin = Instant::now();
        memcached_load::run(port)?;
        let time = begin.elapsed().as_secs_f64();
        Ok(Sample {
            time,
            cpu: server.stop()?,
        })
    }
}

/// redis with four threads for input and output, asked by its own load generator.
struct Redis;

impl Subject for Redis {
    fn name(&self) -> &str {
        "redis-server --io-threads 4, gets and sets"
    }

    fn needs(&self) -> &[&str] {
        &["redis-server", "redis-benchmark"]
    }

    fn prepare(&mut self, _place: &Place) -> anyhow::Result<()> {
        Ok(())
    }

    fn run(&self, place: &Place, way: Way) -> anyhow::Result<Sample> {
        let port = free_port()?;
        let number = port.to_string();
        let words = [
            "redis-server",
            "--bind",
            "127.0.0.1",
            "--port",
            &number,
            "--save",
            "",
            "--io-threads",
            "4",
        ];
        let mut server = place.command(way, &words)?.server()?;
        await_port(&mut server, port)?;
        let begin = Instant::now();
        let load = [
            "-h",
            "127.0.0.1",
            "-p",
            &number,
            "-t",
            "set,get",
            "-n",
            "100000",
            "-P",
            "16",
            "-q",
        ];
        quietly(Command::new("redis-benchmark").args(load))?;
        let time = begin.elapsed().as_secs_f64();
        Ok(Sample {
            time,
            cpu: server.stop()?,
        })
    }
}

/// MariaDB under sysbench's mix of reading and writing transactions, four connections.
struct MariaDb;

/// The tables, and how sysbench reaches them.
const TABLES: [&str; 5] = [
    "oltp_read_write",
    "--mysql-user=root",
    "--mysql-db=bench",
    "--tables=2",
    "--table-size=10000",
];

/// What the server's folders and files are called.
const DATA: &str = "mariadb";
const SOCKET: &str = "mariadb.socket";

impl Subject for MariaDb {
    fn name(&self) -> &str {
        "mariadbd, sysbench oltp_read_write, 4 connections"
    }

    fn needs(&self) -> &[&str] {
        &[
            "mariadbd",
            "mariadb-install-db",
            "mariadb-admin",
            "sysbench",
        ]
    }

    fn prepare(&mut self, place: &Place) -> anyhow::Result<()> {
        let data = place.path(DATA);
        quietly(
            Command::new("mariadb-install-db")
                .args([
                    "--no-defaults",
                    "--user=root",
                    "--auth-root-authentication-method=normal",
                ])
                .arg(option("--datadir=", &data)),
        )?;
        let server = self.start(place, Way::Bare)?;
        let socket = option("--socket=", &place.path(SOCKET));
        quietly(
            Command::new("mariadb-admin")
                .args(["--no-defaults", "-u", "root"])
                .arg(socket)
                .args(["create", "bench"]),
        )?;
        self.sysbench(place, &["prepare"])?;
        server.stop().map(drop)
    }

    fn run(&self, place: &Place, way: Way) -> anyhow::Result<Sample> {
        let server = self.start(place, way)?;
        let begin = Instant::now();
        self.sysbench(
            place,
            &[
                "--threads=4",
                "--events=1000",
                "--time=0",
                "--rand-seed=1",
                "run",
            ],
        )?;
        let time = begin.elapsed().as_secs_f64();
        Ok(Sample {
            time,
            cpu: server.stop()?,
        })
    }
}

impl MariaDb {
    fn start(&self, place: &Place, way: Way) -> anyhow::Result<Server> {
        let socket = place.path(SOCKET);
        let words = [
            "mariadbd".into(),
            "--no-defaults".into(),
            "--user=root".into(),
            "--skip-networking".into(),
            // The disk's own time would hide the locks'.
            "--innodb-flush-log-at-trx-commit=0".into(),
            option("--datadir=", &place.path(DATA)),
            option("--socket=", &socket),
        ];
        let mut server = place.command(way, &words)?.server()?;
        let answers = || {
            let ping = Command::new("mariadb-admin")
                .args(["--no-defaults", "-u", "root"])
                .arg(option("--socket=", &socket))
                .arg("ping")
                .output();
            ping.is_ok_and(|output| output.status.success())
        };
        wait_for(&mut server, "mariadbd", answers)?;
        Ok(server)
    }

    fn sysbench(&self, place: &Place, words: &[&str]) -> anyhow::Result<()> {
        quietly(
            Command::new("sysbench")
                .args(TABLES)
                .arg(option("--mysql-socket=", &place.path(SOCKET)))
                .args(words),
        )
    }
}

fn option(name: &str, path: &Path) -> std::ffi::OsString {
    let mut word = std::ffi::OsString::from(name);
    word.push(path);
    word
}

/// Runs a command to its end, which must be a good one.
fn quietly(command: &mut Command) -> anyhow::Result<()> {
    let program = command.get_program().to_owned();
    let output = command
        .output()
        .with_context(|| format!("cannot start {}", program.display()))?;
    ensure!(
        output.status.success(),
        "{}: {}{}",
        program.display(),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

/// A port that nobody listens at now.
fn free_port() -> anyhow::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?
        .local_addr()?
        .port())
}

fn await_port(server: &mut Server, port: u16) -> anyhow::Result<()> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    wait_for(server, &format!("the server at {address}"), || {
        TcpStream::connect(address).is_ok()
    })
}

fn wait_for(server: &mut Server, name: &str, ready: impl Fn() -> bool) -> anyhow::Result<()> {
    let deadline = Instant::now() + PATIENCE;
    while !ready() {
        if !server.runs() {
            bail!("{name} ended before it answered");
        }
        ensure!(Instant::now() < deadline, "{name} does not answer");
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}
