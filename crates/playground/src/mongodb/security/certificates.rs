//! An authority of one day's importance, and a certificate from it for the servers of this machine.
//!
//! Made with `openssl`, which wherever certificates are used at all is there: a crate for it would be built by
//! everybody and used by the few who play with TLS.

use std::path::Path;
use std::process::Command;

use super::secret::write_private;
use crate::error::{Result, failed, on_path};

/// Names of our own for the extensions, so that nothing depends on the machine's own configuration.
const CONFIGURATION: &str = "
[req]
distinguished_name = name
prompt = no
[name]
CN = Mobile World playground
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[server]
basicConstraints = critical, CA:FALSE
subjectAltName = IP:127.0.0.1, DNS:localhost
extendedKeyUsage = serverAuth, clientAuth
";

/// Longer than any playground lives.
const DAYS: &str = "3650";

/// Writes the authority's certificate, and the servers' one with its key. The authority's key is thrown away: nobody
/// can ever make another certificate that its clients would trust.
pub(super) fn make(ca_file: &Path, certificate_file: &Path) -> Result<()> {
    let work =
        tempfile::tempdir().map_err(|error| failed(format!("no directory can be made for keys: {error}")))?;
    let at = |name: &str| work.path().join(name);
    std::fs::write(at("conf"), CONFIGURATION).map_err(|error| on_path("writing", &at("conf"), error))?;
    let new_key = "req -config conf -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    for command in [
        format!("{new_key} -x509 -extensions authority -days {DAYS} -keyout ca.key -out ca.pem"),
        format!("{new_key} -new -keyout server.key -out server.csr"),
        format!(
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -extfile conf -extensions server -days \
             {DAYS} -out server.crt"
        ),
    ] {
        openssl(&command, work.path())?;
    }
    let read = |name: &str| std::fs::read(at(name)).map_err(|error| on_path("reading", &at(name), error));
    let both = [read("server.crt")?, read("server.key")?].concat();
    write_private(certificate_file, &both)?;
    std::fs::write(ca_file, read("ca.pem")?).map_err(|error| on_path("writing", ca_file, error))
}

fn openssl(arguments: &str, work: &Path) -> Result<()> {
    let output = Command::new("openssl").args(arguments.split_whitespace()).current_dir(work).output();
    let output = output.map_err(|error| {
        failed(format!("`openssl` cannot be run: {error}; install the package openssl, or leave --tls away"))
    })?;
    if output.status.success() {
        return Ok(());
    }
    let why = String::from_utf8_lossy(&output.stderr);
    Err(failed(format!("`openssl {arguments}` ended with {}: {}", output.status, why.trim())))
}
