//! Whether a download is what was asked for.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha512};

use crate::error::{Result, failed, on_path};

/// Compares a file with the digest that is compiled in, written as package managers write it: `sha512-` and base64.
pub(super) fn check(file: &Path, wanted: &str) -> Result<()> {
    let found = digest(file).map_err(|error| on_path("reading", file, error))?;
    if found == wanted {
        return Ok(());
    }
    Err(failed(format!(
        "{} is not what was asked for: its digest is {found} and must be {wanted}; it was not unpacked",
        file.display()
    )))
}

fn digest(file: &Path) -> io::Result<String> {
    let mut file = File::open(file)?;
    let mut digest = Sha512::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(format!("sha512-{}", STANDARD.encode(digest.finalize()))),
            read => digest.update(&buffer[..read]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_changed_byte_is_noticed() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "abc").unwrap();
        let abc =
            "sha512-3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==";
        check(file.path(), abc).unwrap();
        std::fs::write(file.path(), "abd").unwrap();
        assert!(check(file.path(), abc).unwrap_err().to_string().contains(abc));
    }
}
