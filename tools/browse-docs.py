"""Opens the documentation page of a running store in a real, headless Chromium, reads it as a person would, and makes
sure that nothing was fetched from anywhere else: a store in a closed network has to have its documentation too.

usage: browse-docs.py URL SCREENSHOT
"""

import base64
import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from urllib.parse import urlsplit

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


def described_operations(url):
    with urllib.request.urlopen(f"{url}/api/openapi.json", timeout=10) as answer:
        paths = json.load(answer)["paths"]
    return sum(len(item) for item in paths.values())


def visit(browser, url, screenshot):
    described = described_operations(url)
    browser.ask("POST", "/url", {"url": f"{url}/api/docs/"})
    browser.wait_for("the list of operations", "return document.querySelectorAll('.opblock').length > 0")
    drawn = browser.run("return document.querySelectorAll('.opblock').length")
    if drawn != described:
        raise SystemExit(f"the page draws {drawn} operations, and {described} are described")
    # A person opens one operation, tries it out, and sees the store's own answer.
    for what, selector in (
        ("the zones operation", "[id$='-list_zones'] .opblock-summary-control"),
        ("«Try it out»", "[id$='-list_zones'] .try-out__btn"),
        ("«Execute»", "[id$='-list_zones'] .execute"),
    ):
        browser.wait_for(what, f"return document.querySelector(\"{selector}\") !== null")
        browser.run(f"document.querySelector(\"{selector}\").click()")
    answer = browser.wait_for(
        "the answer of the store",
        "const live = document.querySelector(\"[id$='-list_zones'] .live-responses-table .microlight\");"
        "return live && live.textContent",
    )
    if "msk" not in answer:
        raise SystemExit(f"the page shows another answer than the list of zones: {answer}")
    browser.screenshot(screenshot)
    return drawn


def main():
    url, screenshot = sys.argv[1], sys.argv[2]
    with Browser() as browser:
        drawn = visit(browser, url, screenshot)
        hosts = {urlsplit(asked).netloc for asked in browser.requested() if asked.startswith(("http", "ws"))}
        complaints = browser.complaints()
    if hosts != {urlsplit(url).netloc}:
        raise SystemExit(f"the page asked {sorted(hosts)}, and only {urlsplit(url).netloc} may be asked")
    if complaints:
        raise SystemExit("the page complains: " + "; ".join(complaints))
    print(f"{drawn} operations drawn, one tried out, nothing asked from another host; picture in {screenshot}")


main()
