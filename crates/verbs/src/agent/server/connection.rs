//! One connection: a request and its answer, within a time and a size. A thread of its own serves it, so nothing here is shared.

use std::cell::Cell;
use std::convert::Infallible;
use std::future::{Future, ready};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::os::fd::AsFd;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use hyper::body::Incoming;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::answer::Whole;
use super::pages::Pages;
use super::panics::answered;

/// How long a client may take to send its request, and to read the answer.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// From the beginning of the connection to the end of the request's head.
    pub request: Duration,
    /// From there to the end of the answer.
    pub answer: Duration,
}

/// The largest head of a request, and the most lines in it.
const MOST_BYTES: usize = 16 << 10;
const MOST_HEADERS: usize = 64;

/// Serves one request, if one comes in time. `answer` is what it gets.
///
/// # Errors
/// If the socket cannot be used.
pub fn serve(
    stream: TcpStream,
    pages: &Pages,
    limits: Limits,
    answer: impl Fn(&Request<Incoming>, &Pages) -> Response<Whole>,
) -> io::Result<()> {
    stream.set_nonblocking(true)?;
    let socket = stream.try_clone()?;
    let wants = Rc::new(Cell::new(PollFlags::empty()));
    let asked = Rc::new(Cell::new(None));
    let noted = Rc::clone(&asked);
    let service = service_fn(move |request: Request<Incoming>| {
        noted.set(Some(Instant::now()));
        ready(Ok::<_, Infallible>(answered(|| answer(&request, pages))))
    });
    let io = Socket {
        stream,
        wants: Rc::clone(&wants),
    };
    let mut builder = http1::Builder::new();
    builder
        .keep_alive(false)
        .half_close(true)
        .max_buf_size(MOST_BYTES)
        .max_headers(MOST_HEADERS);
    let mut connection = pin!(builder.serve_connection(io, service));
    let woken = Arc::new(Woken::default());
    let waker = Waker::from(Arc::clone(&woken));
    let began = Instant::now();
    let is_done = loop {
        wants.set(PollFlags::empty());
        if connection
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_ready()
        {
            break true;
        }
        // Relaxed: only this thread uses it.
        if woken.0.swap(false, Ordering::Relaxed) {
            continue;
        }
        let end = match asked.get() {
            Some(at) => at + limits.answer,
            None => began + limits.request,
        };
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() || !wait(&socket, wants.get(), left)? {
            break false;
        }
    };
    if let (true, Some(at)) = (is_done, asked.get()) {
        pages.note_scrape(at.elapsed());
    }
    let _ = socket.shutdown(Shutdown::Both);
    Ok(())
}

/// Waits until the socket is ready. Returns whether it is.
fn wait(socket: &TcpStream, wants: PollFlags, left: Duration) -> io::Result<bool> {
    let timeout = Timespec {
        tv_sec: left.as_secs() as i64,
        tv_nsec: i64::from(left.subsec_nanos()),
    };
    let mut sockets = [PollFd::from_borrowed_fd(socket.as_fd(), wants)];
    match poll(&mut sockets, Some(&timeout)) {
        Ok(ready) => Ok(ready > 0),
        // The loop around this looks at the time again.
        Err(rustix::io::Errno::INTR) => Ok(true),
        Err(error) => Err(error.into()),
    }
}

/// Set when the connection wants to be polled again at once.
#[derive(Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        // Relaxed: the thread that polls is the one that wakes.
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A socket that does not block, and notes what it waits for.
struct Socket {
    stream: TcpStream,
    wants: Rc<Cell<PollFlags>>,
}

impl Socket {
    /// Repeats a call that a signal interrupted; notes what it waits for if it would block.
    fn attempt<T>(
        &mut self,
        wants: PollFlags,
        mut call: impl FnMut(&mut TcpStream) -> io::Result<T>,
    ) -> Poll<io::Result<T>> {
        loop {
            match call(&mut self.stream) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wants.set(self.wants.get() | wants);
                    return Poll::Pending;
                }
                done => return Poll::Ready(done),
            }
        }
    }
}

impl Read for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        mut buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let mut bytes = [0; 4096];
        let room = buffer.remaining().min(bytes.len());
        match self.attempt(PollFlags::IN, |it| it.read(&mut bytes[..room])) {
            Poll::Ready(Ok(read)) => {
                buffer.put_slice(&bytes[..read]);
                Poll::Ready(Ok(()))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl Write for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.attempt(PollFlags::OUT, |it| it.write(bytes))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A socket keeps nothing back.
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A client that has gone needs no farewell.
        let _ = self.stream.shutdown(Shutdown::Write);
        Poll::Ready(Ok(()))
    }
}
