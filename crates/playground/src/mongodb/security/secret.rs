//! A secret in a file that only its owner may read.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::Rng;

use crate::error::{Result, on_path};

/// Draws 256 bits and writes them as a line of text, which is what both a password and MongoDB's key file are.
pub(super) fn write(file: &Path) -> Result<()> {
    let mut bits = [0_u8; 32];
    rand::rng().fill_bytes(&mut bits);
    write_private(file, format!("{}\n", letters(bits)).as_bytes())
}

/// Writes a file of mode 600, in place of one that is there.
pub(super) fn write_private(file: &Path, content: &[u8]) -> Result<()> {
    let write = || {
        if let Err(error) = std::fs::remove_file(file)
            && error.kind() != std::io::ErrorKind::NotFound
        {
            return Err(error);
        }
        let mut created = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)?;
        created.write_all(content)
    };
    write().map_err(|error| on_path("writing", file, error))
}

/// Letters and digits only: a key file takes no `-` and no `_`, and a password without signs needs no quoting anywhere.
fn letters(bits: [u8; 32]) -> String {
    URL_SAFE_NO_PAD.encode(bits).replace(['-', '_'], "x")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_secret_is_its_owners_alone_and_another_each_time() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("secret");
        write(&file).unwrap();
        let first = std::fs::read_to_string(&file).unwrap();
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(
            first.trim().len() == 43 && first.trim().bytes().all(|byte| byte.is_ascii_alphanumeric()),
            "{first}"
        );
        write(&file).unwrap();
        assert_ne!(std::fs::read_to_string(&file).unwrap(), first);
    }
}
