//! One connection: a request, then its answer, then perhaps the next.

use std::io::ErrorKind;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::Answer;
use super::head::{Head, Length, read_chunks, read_head};

/// Most answers fit, so that most need one read.
const READ: usize = 8 * 1024;

/// The longest answer that is read: a page of 100 orders of 100 lines is far below it.
const LONGEST_ANSWER: usize = 32 << 20;

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    /// The connection was closed before the system took a single byte.
    Unsent,
    /// It broke before the whole answer was there.
    Cut,
    /// What came is not HTTP.
    Garbled,
}

/// A whole answer.
pub(super) struct Complete {
    pub(super) answer: Answer,
    /// Whether the connection may be used again.
    pub(super) reusable: bool,
}

/// An open connection.
pub(super) struct Connection {
    stream: TcpStream,
    unread: Vec<u8>,
}

impl Connection {
    pub(super) fn new(stream: TcpStream) -> Connection {
        Connection { stream, unread: Vec::new() }
    }

    /// Whether the store has left it open and said nothing that nobody asked. Costs no system call as long as it is so.
    pub(super) fn is_quiet(&self) -> bool {
        matches!(self.stream.try_read(&mut [0]), Err(error) if error.kind() == ErrorKind::WouldBlock)
    }

    /// Sends a request and waits for the whole answer.
    pub(super) async fn exchange(&mut self, request: &[u8]) -> Result<Complete, Broken> {
        self.write(request).await?;
        let head = self.head().await?;
        let (body, rest) = self.body(&head).await?;
        let reusable = head.keep_alive && rest == 0 && head.length != Length::UntilClosed;
        Ok(Complete { answer: Answer { status: head.status, retry_after: head.retry_after, body }, reusable })
    }

    async fn write(&mut self, mut request: &[u8]) -> Result<(), Broken> {
        let mut broken = Broken::Unsent;
        while !request.is_empty() {
            let written = self.stream.write(request).await.map_err(|_| broken)?;
            broken = Broken::Cut;
            request = &request[written..];
        }
        Ok(())
    }

    /// The head of the answer, which is taken off what is unread. Interim answers (1xx) are passed over.
    async fn head(&mut self) -> Result<Head, Broken> {
        loop {
            while let Some(head) = read_head(&self.unread).map_err(|_| Broken::Garbled)? {
                self.unread.drain(..head.bytes);
                if head.status >= 200 {
                    return Ok(head);
                }
            }
            if self.read_more().await? == 0 {
                return Err(Broken::Cut);
            }
        }
    }

    /// The body, and how many bytes came after it.
    async fn body(&mut self, head: &Head) -> Result<(Vec<u8>, usize), Broken> {
        loop {
            if self.unread.len() > LONGEST_ANSWER {
                return Err(Broken::Garbled);
            }
            match head.length {
                Length::Exactly(length) if self.unread.len() >= length => {
                    let rest = self.unread.len() - length;
                    let body = self.unread[..length].to_vec();
                    self.unread.clear();
                    return Ok((body, rest));
                }
                Length::Chunked => {
                    if let Some((body, used)) = read_chunks(&self.unread).map_err(|_| Broken::Garbled)? {
                        let rest = self.unread.len() - used;
                        self.unread.clear();
                        return Ok((body, rest));
                    }
                }
                Length::Exactly(_) | Length::UntilClosed => {}
            }
            if self.read_more().await? == 0 {
                return match head.length {
                    Length::UntilClosed => Ok((std::mem::take(&mut self.unread), 0)),
                    Length::Exactly(_) | Length::Chunked => Err(Broken::Cut),
                };
            }
        }
    }

    async fn read_more(&mut self) -> Result<usize, Broken> {
        self.unread.reserve(READ);
        self.stream.read_buf(&mut self.unread).await.map_err(|_| Broken::Cut)
    }
}
