//! A lean HTTP/1.1 client: one kept-alive connection, requests as ready bytes, and of an answer only what a
//! benchmark needs. The less the generator costs, the more of the two cores is left for what is measured.

use std::io::{Error, ErrorKind};
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// One connection.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// Status and body of an answer.
pub(crate) struct Answer<'c> {
    pub(crate) status: u16,
    pub(crate) body: &'c [u8],
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> std::io::Result<Connection> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream, buffer: Vec::with_capacity(64 * 1024) })
    }

    /// Sends a request and reads the whole answer.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> std::io::Result<Answer<'_>> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        let head = loop {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err(Error::new(ErrorKind::UnexpectedEof, "the store closed the connection"));
            }
            if let Some(head) = Head::read(&self.buffer)? {
                break head;
            }
        };
        let end = head.length + head.body;
        while self.buffer.len() < end {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err(Error::new(
                    ErrorKind::UnexpectedEof,
                    "the store closed the connection in an answer",
                ));
            }
        }
        Ok(Answer { status: head.status, body: &self.buffer[head.length..end] })
    }
}

/// What the head of an answer says.
#[derive(Debug, PartialEq, Eq)]
struct Head {
    status: u16,
    /// Bytes of the head itself.
    length: usize,
    /// Bytes of the body.
    body: usize,
}

impl Head {
    /// `None` if the head is not complete yet.
    fn read(bytes: &[u8]) -> std::io::Result<Option<Head>> {
        let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
            return Ok(None);
        };
        let bad =
            || Error::new(ErrorKind::InvalidData, "the answer is not the HTTP/1.1 that this client reads");
        let text = std::str::from_utf8(&bytes[..end]).map_err(|_| bad())?;
        let mut lines = text.split("\r\n");
        let status = lines
            .next()
            .and_then(|line| line.get(9..12))
            .and_then(|code| code.parse().ok())
            .ok_or_else(bad)?;
        let mut body = None;
        for line in lines {
            let Some((name, value)) = line.split_once(':') else { continue };
            if name.eq_ignore_ascii_case("content-length") {
                body = Some(value.trim().parse().map_err(|_| bad())?);
            }
        }
        // Only an answer that cannot have a body may leave its length out.
        let body = if status == 204 { 0 } else { body.ok_or_else(bad)? };
        Ok(Some(Head { status, length: end + 4, body }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_once_it_is_complete() {
        let whole = b"HTTP/1.1 201 Created\r\ncontent-type: x\r\nContent-Length: 5\r\n\r\nhello";
        assert_eq!(Head::read(&whole[..50]).unwrap(), None);
        assert_eq!(Head::read(whole).unwrap(), Some(Head { status: 201, length: whole.len() - 5, body: 5 }));
        let none = Head::read(b"HTTP/1.1 204 No Content\r\n\r\n").unwrap().unwrap();
        assert_eq!((none.status, none.body), (204, 0));
    }

    #[test]
    fn an_answer_of_unknown_length_is_refused() {
        assert!(Head::read(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").is_err());
        assert!(Head::read(b"nonsense\r\n\r\n").is_err());
    }
}
