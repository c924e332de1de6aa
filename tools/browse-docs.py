"""Opens the documentation page of a running store in a real, headless Chromium, reads it as a person would, and makes
sure that nothing was fetched from anywhere else: a store in a closed network has to have its documentation too.

usage: browse-docs.py URL SCREENSHOT
"""

import json
import sys
import urllib.request
from urllib.parse import urlsplit

from browser import Browser


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
