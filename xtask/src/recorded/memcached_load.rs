//! Asks memcached, by its text protocol (memcached's doc/protocol.txt).

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpStream};

use anyhow::{Context, ensure};

/// Connections, each of a thread of its own.
const CONNECTIONS: u32 = 4;
/// Batches that each connection sends; the next one goes out when all of the last has been answered.
const BATCHES: u32 = 1500;
/// Requests in a batch, a set and then gets.
const REQUESTS: u32 = 20;
/// Keys, shared by all connections.
const KEYS: u32 = 1000;
/// The value of each key.
const VALUE: &str = "a value of some thirty-two bytes";

/// Asks what there is to ask, and returns when all has been answered.
pub fn run(port: u16) -> anyhow::Result<()> {
    std::thread::scope(|scope| {
        let asking: Vec<_> = (0..CONNECTIONS)
            .map(|number| scope.spawn(move || ask(port, number)))
            .collect();
        asking.into_iter().try_for_each(|thread| {
            thread
                .join()
                .map_err(|_| anyhow::anyhow!("a thread panicked"))?
        })
    })
}

fn ask(port: u16, number: u32) -> anyhow::Result<()> {
    let mut out = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    out.set_nodelay(true)?;
    let mut answers = BufReader::new(out.try_clone()?).lines();
    let mut answer = || {
        answers
            .next()
            .context("memcached hung up")?
            .map_err(anyhow::Error::from)
    };
    for batch in 0..BATCHES {
        let mut requests = String::new();
        let key = |request: u32| (number * 7919 + batch * REQUESTS + request) % KEYS;
        requests += &format!("set key{} 0 0 {}\r\n{VALUE}\r\n", key(0), VALUE.len());
        for request in 1..REQUESTS {
            requests += &format!("get key{}\r\n", key(request));
        }
        out.write_all(requests.as_bytes())?;
        let stored = answer()?;
        ensure!(stored == "STORED", "memcached says {stored}");
        let mut ends = 0;
        while ends < REQUESTS - 1 {
            ends += u32::from(answer()? == "END");
        }
    }
    Ok(())
}
