//! A request and its answer, as gRPC has them in HTTP/2: a message begins with whether it is compressed, and its length; the status follows
//! the last message.

use h2::RecvStream;
use h2::client::SendRequest;
use hyper::Request;
use hyper::body::Bytes;
use hyper::header::HeaderMap;

use crate::agent::push::limits::MOST_ANSWER_BYTES;

/// What precedes a message.
const PREFIX_BYTES: usize = 5;

/// An answer.
#[derive(Debug, Default)]
pub struct Reply {
    /// The status of HTTP; 200 if the server speaks gRPC.
    pub http_status: u16,
    /// The headers after the message. If there is no message, the headers before it: they then have the status.
    pub trailers: HeaderMap,
    /// The message, empty if there is none that can be read.
    pub message: Bytes,
}

/// Returns a message as it is sent.
pub fn framed(message: &[u8], is_compressed: bool) -> Bytes {
    let mut framed = Vec::with_capacity(PREFIX_BYTES + message.len());
    framed.push(u8::from(is_compressed));
    // No queue has a request of 4 GiB: its server would refuse it.
    let bytes = u32::try_from(message.len()).unwrap_or(u32::MAX);
    framed.extend_from_slice(&bytes.to_be_bytes());
    framed.extend_from_slice(message);
    framed.into()
}

/// Sends a request, and returns the answer with what sends the next one.
///
/// # Errors
/// If the connection ends, or the request without an answer.
pub async fn call(
    mut sender: SendRequest<Bytes>,
    request: Request<()>,
    message: Bytes,
) -> Result<(Reply, SendRequest<Bytes>), h2::Error> {
    let (answer, mut stream) = sender.send_request(request, false)?;
    stream.send_data(message, true)?;
    let (head, mut body) = answer.await?.into_parts();
    let bytes = received(&mut body).await?;
    let reply = Reply {
        http_status: head.status.as_u16(),
        trailers: body.trailers().await?.unwrap_or(head.headers),
        message: unframed(bytes),
    };
    Ok((reply, sender))
}

/// Reads a body. What exceeds the bound is not kept.
async fn received(body: &mut RecvStream) -> Result<Vec<u8>, h2::Error> {
    let mut bytes = Vec::new();
    while let Some(data) = body.data().await {
        let data = data?;
        let room = MOST_ANSWER_BYTES - bytes.len();
        bytes.extend_from_slice(&data[..data.len().min(room)]);
        body.flow_control().release_capacity(data.len())?;
    }
    Ok(bytes)
}

/// Returns the message in an answer. None is compressed, since none was asked for.
fn unframed(bytes: Vec<u8>) -> Bytes {
    let bytes = Bytes::from(bytes);
    let Some((&[is_compressed, a, b, c, d], _)) = bytes.split_first_chunk() else {
        return Bytes::new();
    };
    let length = u32::from_be_bytes([a, b, c, d]) as usize;
    match is_compressed == 0 && bytes.len() - PREFIX_BYTES >= length {
        true => bytes.slice(PREFIX_BYTES..PREFIX_BYTES + length),
        false => Bytes::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_comes_out_of_its_frame() {
        let framed = framed(b"message", false);
        assert_eq!(framed[..PREFIX_BYTES], [0, 0, 0, 0, 7]);
        assert_eq!(unframed(framed.to_vec()), "message");
        for damaged in [&framed[..0], &framed[..4], &framed[..9]] {
            assert_eq!(unframed(damaged.to_vec()), "");
        }
        assert_eq!(super::framed(b"message", true)[0], 1);
        assert_eq!(unframed(super::framed(b"message", true).to_vec()), "");
    }
}
