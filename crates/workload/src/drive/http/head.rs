//! What the head of an answer says about it, and where a body ends.

use std::time::Duration;

/// Far more headers than a store sends.
const MOST_HEADERS: usize = 64;

/// A store that asks for more than an hour is not waited for in any case.
const LONGEST_WAIT: Duration = Duration::from_secs(3_600);

/// Bytes that are not HTTP, or not any that we understand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NotHttp;

/// The head of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) status: u16,
    pub(super) length: Length,
    pub(super) keep_alive: bool,
    /// When to come back; at once, if it was said in words that are not understood.
    pub(super) retry_after: Option<Duration>,
    /// How long the head itself is.
    pub(super) bytes: usize,
}

/// Where the body ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    Exactly(usize),
    Chunked,
    UntilClosed,
}

/// The head at the beginning of these bytes, once it is whole.
pub(super) fn read_head(bytes: &[u8]) -> Result<Option<Head>, NotHttp> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(length_of_head) = response.parse(bytes).map_err(|_| NotHttp)? else {
        return Ok(None);
    };
    let status = response.code.ok_or(NotHttp)?;
    let mut head = Head {
        status,
        length: Length::UntilClosed,
        keep_alive: response.version == Some(1),
        retry_after: None,
        bytes: length_of_head,
    };
    if status < 200 || status == 204 || status == 304 {
        head.length = Length::Exactly(0);
    }
    for header in response.headers.iter() {
        let value = std::str::from_utf8(header.value).map_err(|_| NotHttp)?.trim();
        if header.name.eq_ignore_ascii_case("content-length") && head.length == Length::UntilClosed {
            head.length = Length::Exactly(value.parse().map_err(|_| NotHttp)?);
        } else if header.name.eq_ignore_ascii_case("transfer-encoding") {
            if !value.eq_ignore_ascii_case("chunked") {
                return Err(NotHttp);
            }
            head.length = Length::Chunked;
        } else if header.name.eq_ignore_ascii_case("connection") {
            head.keep_alive &= !value.eq_ignore_ascii_case("close");
        } else if header.name.eq_ignore_ascii_case("retry-after") {
            // A date, or what nobody understands, still says that the store has no time: come back soon.
            let seconds = value.parse().unwrap_or(0);
            head.retry_after = Some(Duration::from_secs(seconds).min(LONGEST_WAIT));
        }
    }
    Ok(Some(head))
}

/// The chunks at the beginning of these bytes, joined, and how many bytes they took; once the last one is there.
pub(super) fn read_chunks(bytes: &[u8]) -> Result<Option<(Vec<u8>, usize)>, NotHttp> {
    let (mut body, mut at) = (Vec::new(), 0);
    loop {
        let parsed = httparse::parse_chunk_size(&bytes[at..]).map_err(|_| NotHttp)?;
        let httparse::Status::Complete((line, size)) = parsed else { return Ok(None) };
        let begin = at + line;
        let size = usize::try_from(size).map_err(|_| NotHttp)?;
        let end = begin.checked_add(size).ok_or(NotHttp)?;
        let Some(after) = bytes.get(end..).filter(|after| after.len() >= 2) else { return Ok(None) };
        if &after[..2] != b"\r\n" {
            return Err(NotHttp);
        }
        body.extend_from_slice(&bytes[begin..end]);
        at = end + 2;
        if size == 0 {
            return Ok(Some((body, at)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Head {
        read_head(text.as_bytes()).unwrap().unwrap()
    }

    #[test]
    fn a_head_is_read_when_it_is_whole() {
        let text = "HTTP/1.1 503 Busy\r\nRetry-After: 2\r\nContent-Length: 7\r\n\r\n";
        for cut in 0..text.len() {
            assert_eq!(read_head(&text.as_bytes()[..cut]), Ok(None), "{cut}");
        }
        let head = whole(text);
        assert_eq!((head.status, head.length), (503, Length::Exactly(7)));
        assert_eq!((head.keep_alive, head.retry_after), (true, Some(Duration::from_secs(2))));
        assert_eq!(head.bytes, text.len());
    }

    #[test]
    fn a_connection_that_will_be_closed_is_not_kept() {
        assert!(!whole("HTTP/1.1 200 OK\r\nConnection: Close\r\n\r\n").keep_alive);
        assert!(!whole("HTTP/1.0 200 OK\r\n\r\n").keep_alive);
        assert_eq!(whole("HTTP/1.1 204 No Content\r\n\r\n").length, Length::Exactly(0));
    }

    #[test]
    fn a_wait_that_is_not_understood_is_still_a_wait() {
        for told in ["Wed, 21 Oct 2026 07:28:00 GMT", "soon", "-1", ""] {
            let head = whole(&format!("HTTP/1.1 503 Busy\r\nRetry-After: {told}\r\n\r\n"));
            assert_eq!(head.retry_after, Some(Duration::ZERO), "{told:?}");
        }
        assert_eq!(whole("HTTP/1.1 503 Busy\r\n\r\n").retry_after, None);
    }

    #[test]
    fn what_is_no_answer_is_said_to_be_none() {
        for wrong in ["SSH-2.0\r\n\r\n", "HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n"] {
            assert_eq!(read_head(wrong.as_bytes()), Err(NotHttp), "{wrong}");
        }
    }

    #[test]
    fn chunks_are_joined_when_the_last_is_there() {
        let text = b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n";
        for cut in 0..text.len() {
            assert_eq!(read_chunks(&text[..cut]), Ok(None), "{cut}");
        }
        assert_eq!(read_chunks(text), Ok(Some((b"abcde".to_vec(), text.len()))));
        assert_eq!(read_chunks(b"3\r\nabcXX"), Err(NotHttp));
    }
}
