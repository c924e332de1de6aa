"""A real, headless Chromium behind its driver, for the tools that look at pages as a person would."""

import base64
import json
import subprocess
import tempfile
import time
import urllib.request

DRIVER_PORT = 0  # any free one; the driver says which
PATIENCE_SECONDS = 30


class Browser:
    """One Chromium behind its driver, spoken to in plain WebDriver; both end with the `with` block."""

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="mworld-browser-", ignore_cleanup_errors=True)
        command = ["chromedriver", f"--port={DRIVER_PORT}"]
        self.driver = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                self.base = f"http://127.0.0.1:{int(line.rstrip('.' + chr(10)).split()[-1])}"
                break
        else:
            raise SystemExit("chromedriver did not start; install the Debian packages chromium and chromium-driver")
        self.session = ""
        flags = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,2000"]
        options = {"args": [*flags, f"--user-data-dir={self.profile.name}"]}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"}}
        opened = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = f"/session/{opened['sessionId']}"
        return self

    def __exit__(self, *_):
        try:
            if self.session:
                self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.profile.cleanup()

    def ask(self, method, path, body=None):
        data = None if method in ("GET", "DELETE") else json.dumps(body or {}).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.base + self.session + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def run(self, script, *arguments):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait_for(self, what, script):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (found := self.run(script)):
            if time.monotonic() > deadline:
                raise SystemExit(f"{what} did not appear within {PATIENCE_SECONDS} s")
            time.sleep(0.1)
        return found

    def command(self, name, **parameters):
        """A command of Chromium's own protocol, for what WebDriver has no words for."""
        return self.ask("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def screenshot(self, file):
        with open(file, "wb") as out:
            out.write(base64.b64decode(self.ask("GET", "/screenshot")))

    def requested(self):
        """Every address that the page asked for."""
        for entry in self.ask("POST", "/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                yield message["params"]["request"]["url"]

    def complaints(self):
        """What the page's own scripts complained of."""
        entries = self.ask("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]
