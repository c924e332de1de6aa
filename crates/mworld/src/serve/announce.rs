//! The block that `serve` prints when the door is open.

use std::fmt::Write as _;
use std::net::SocketAddr;

use secrecy::ExposeSecret;

use super::operator::Operator;
use crate::config::OPERATOR_TOKEN;

/// Addresses, where the data lies, and the operator token if this is the moment to show it.
pub(crate) fn announcement(place: &str, address: SocketAddr, operator: &Operator) -> String {
    let url = url(address);
    let mut text = String::from("Mobile World is open\n\n");
    for (what, path) in [
        ("start page", "/"),
        ("API", "/api/v1"),
        ("documentation", "/api/docs"),
        ("OpenAPI", "/api/openapi.json"),
        ("metrics", "/metrics"),
        ("readiness", "/readyz"),
    ] {
        let _ = writeln!(text, "  {what:<15} {url}{path}");
    }
    let _ = writeln!(text, "  {:<15} {place}", "data");
    let _ = match operator {
        Operator::Made(token) => writeln!(
            text,
            "\n  {:<15} {}\n  {:<15} made for this start; set {OPERATOR_TOKEN} to bring your own",
            "operator token",
            token.expose_secret(),
            "",
        ),
        Operator::Brought(_, from) => writeln!(text, "  {:<15} taken from {from}", "operator token"),
    };
    text.push_str("\nCtrl-C finishes what was accepted and closes the store.\n");
    text
}

/// An address that a browser on this machine can open: nobody can visit 0.0.0.0.
fn url(address: SocketAddr) -> String {
    let host = match address {
        SocketAddr::V4(v4) if v4.ip().is_unspecified() => "127.0.0.1".to_owned(),
        SocketAddr::V6(v6) if v6.ip().is_unspecified() => "[::1]".to_owned(),
        SocketAddr::V4(v4) => v4.ip().to_string(),
        SocketAddr::V6(v6) => format!("[{}]", v6.ip()),
    };
    format!("http://{host}:{}", address.port())
}

#[cfg(test)]
mod tests {
    use secrecy::SecretString;

    use super::*;

    #[test]
    fn a_token_is_shown_only_when_it_is_made() {
        let address = "0.0.0.0:8080".parse().unwrap();
        let told = |operator| announcement("./mworld-data", address, &operator);
        let made = told(Operator::Made(SecretString::from("s3cret")));
        assert!(made.contains("s3cret") && made.contains("http://127.0.0.1:8080/api/docs"), "{made}");
        assert!(!told(Operator::Brought(SecretString::from("s3cret"), OPERATOR_TOKEN)).contains("s3cret"));
    }
}
