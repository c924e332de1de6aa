//! Help and completions.

use tempfile::tempdir;

use crate::run;

#[test]
fn help_names_every_command_and_every_key_with_its_default() {
    let dir = tempdir().unwrap();
    let help = run(dir.path(), &["--help"]);
    assert_eq!(help.code, Some(0));
    for command in [
        "serve",
        "layout",
        "load",
        "import",
        "export",
        "backup",
        "restore",
        "playground",
        "doctor",
        "completions",
    ] {
        assert!(help.stdout.contains(&format!("  {command} ")), "{command}");
        assert_eq!(run(dir.path(), &[command, "--help"]).code, Some(0), "{command}");
    }
    let serve = run(dir.path(), &["serve", "--config", "mworld.toml", "--help"]);
    for line in [
        "listen = \"127.0.0.1:8080\"",
        "data = \"./mworld-data\"",
        "layout = \"category-spread\"",
        "shards = 4",
        "currency = \"RUB\"",
        "order_hold = \"30m\"",
        "cart_max_lines = 100",
        "body_bytes = \"64KiB\"",
        "per_token_per_second = 2000",
        "login_failures_per_minute = 10",
        "level = \"info\"",
    ] {
        assert!(serve.stdout.contains(line), "{line} is missing in {}", serve.stdout);
    }
    for later in ["advise", "migrate", "repair", "--cassandra"] {
        assert!(!help.stdout.contains(later) && !serve.stdout.contains(later), "{later} is not built yet");
    }
}

#[test]
fn completions_for_the_usual_shells() {
    let dir = tempdir().unwrap();
    for (shell, fragment) in
        [("bash", "complete -F _mworld"), ("zsh", "#compdef mworld"), ("fish", "complete -c mworld")]
    {
        let script = run(dir.path(), &["completions", shell]);
        assert_eq!(script.code, Some(0), "{shell}");
        assert!(script.stdout.contains(fragment), "{shell}");
        assert!(script.stdout.contains("explain") && script.stderr.is_empty(), "{shell}");
    }
}

#[test]
fn a_result_that_cannot_be_written_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let ended = std::process::Command::new(env!("CARGO_BIN_EXE_mworld"))
        .args(["layout", "list"])
        .stdout(full)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains("the result cannot be written: No space left on device"), "{said}");
}

#[test]
fn a_page_that_cannot_be_written_is_found_out_before_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = crate::mworld(dir.path());
    // Nobody listens there: whoever tried to drive it would say so.
    command.args(["load", "--url", "http://127.0.0.1:1", "--html", "no/such/place.html"]);
    command.env("MWORLD_OPERATOR_TOKEN", "operator");
    let ended = crate::ended(command);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("no/such/place.html"), "{ended:?}");
}
