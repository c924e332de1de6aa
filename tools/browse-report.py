"""Opens every report page of a folder in a real, headless Chromium, as wide as a screen and as a phone, light and dark.

usage: browse-report.py FOLDER PICTURES
"""

import sys
from pathlib import Path

from browser import Browser

WIDTHS = (1280, 360)
SCHEMES = ("light", "dark")

# What stands beyond the window's edge, or beyond the edge of the figure that it belongs to. The width is the one that was
# asked for: a phone's browser widens its window to hold what is too wide.
CUT_OFF = """
const out = [];
const width = arguments[0];
if (document.documentElement.scrollWidth > width)
  out.push(`the page is ${document.documentElement.scrollWidth} wide in a window of ${width}`);
const parts = 'h1, h2, header p, .tiles > div, .tiles dd, figure, .scroll, .facts > div, .violations li';
for (const part of document.querySelectorAll(parts)) {
  const box = part.getBoundingClientRect();
  if (box.left < -0.5 || box.right > width + 0.5) out.push(`${part.tagName} «${part.textContent.slice(0, 40)}»`);
  if (part.tagName === 'DD' && part.scrollWidth > part.clientWidth) out.push(`a tile's «${part.textContent}»`);
}
for (const figure of document.querySelectorAll('figure')) {
  const frame = figure.getBoundingClientRect();
  for (const label of figure.querySelectorAll('span, li, h3')) {
    const box = label.getBoundingClientRect();
    if (box.left < frame.left || box.right > frame.right || box.bottom > frame.bottom)
      out.push(`«${label.textContent}» in ${figure.querySelector('h3').textContent}`);
  }
  for (const axis of figure.querySelectorAll('.x, .y')) {
    const boxes = [...axis.children].map((label) => label.getBoundingClientRect());
    boxes.forEach((box, at) => boxes.slice(at + 1).forEach((other) => {
      if (box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom)
        out.push(`labels over each other in ${figure.querySelector('h3').textContent}`);
    }));
  }
}
return out;
"""


def look_at(browser, page, pictures):
    faults = []
    for scheme in SCHEMES:
        browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        for width in WIDTHS:
            view = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
            browser.command("Emulation.setDeviceMetricsOverride", **view)
            browser.ask("POST", "/url", {"url": page.as_uri()})
            cut_off = browser.run(CUT_OFF, width)
            faults += [f"{page.stem}, {width} wide, {scheme}: {fault} is cut off" for fault in cut_off]
            height = browser.run("return document.documentElement.scrollHeight")
            browser.command("Emulation.setDeviceMetricsOverride", **{**view, "height": height})
            browser.screenshot(pictures / f"report-{page.stem}-{width}-{scheme}.png")
    return faults


def main():
    folder, pictures = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    pages = sorted(folder.glob("*.html"))
    if not pages:
        raise SystemExit(f"there is no page in {folder}; run the test that writes them")
    faults = []
    with Browser() as browser:
        for page in pages:
            faults += look_at(browser, page, pictures)
        # The browser's own first page asks for parts of the browser.
        asked = {url for url in browser.requested() if url.startswith(("http", "ws", "file"))}
        asked = {url for url in asked if not url.startswith(folder.as_uri())}
        complaints = browser.complaints()
    faults += [f"a page asked for {url}" for url in sorted(asked)]
    faults += [f"a page complains: {complaint}" for complaint in complaints]
    if faults:
        raise SystemExit("\n".join(faults))
    print(f"{len(pages)} reports, each {len(WIDTHS) * len(SCHEMES)} times: nothing cut off; pictures in {pictures}")


main()
