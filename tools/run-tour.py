"""Runs the tour of the README against a running store and compares what it prints with what the README says.

In a block marked `console` a line after `$ ` is a command, which goes on while lines end in a backslash; the lines below
it are its output. `…` in a line stands for anything, a line that is only `…` for any number of lines.

usage: run-tour.py README STORE_URL MWORLD    in an empty directory with the store's data beside it
"""

import re
import subprocess
import sys

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
END = "--- end of the command's output ---"


def steps(readme):
    """Every command with its expected output."""
    for block in BLOCK.findall(readme):
        lines = iter(block.splitlines())
        command, expected = None, []
        for line in lines:
            if line.startswith("$ "):
                if command:
                    yield command, expected
                command, expected = line[2:], []
                while command.endswith("\\"):
                    command = command[:-1] + next(lines).strip()
            else:
                expected.append(line)
        yield command, expected


def pattern(expected):
    parts = []
    for line in expected:
        anything = r"(?:.*\n)*?" if line == "…" else ".*?".join(map(re.escape, line.split("…"))) + r"\n"
        parts.append(anything)
    return re.compile("".join(parts))


class Shell:
    """One bash for the whole tour, because later commands use the variables of earlier ones."""

    def __init__(self, mworld):
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        self.bash = subprocess.Popen(["bash", "--norc"], text=True, **streams)
        self.run(f"mworld() {{ {mworld!r} \"$@\"; }}")

    def run(self, command):
        # A newline before the mark ends an output that does not end its own last line.
        self.bash.stdin.write(f"{command}\nprintf '\\n%s\\n' {END!r}\n")
        self.bash.stdin.flush()
        lines = []
        for line in self.bash.stdout:
            if line.rstrip("\n") == END:
                return "".join(lines)
            lines.append(line)
        raise SystemExit(f"the shell ended at: {command}")


def main():
    readme, url, mworld = sys.argv[1:]
    with open(readme, encoding="utf-8") as file:
        tour = list(steps(file.read()))
    shell = Shell(mworld)
    for command, expected in tour:
        # The alias of the reader's terminal is a function here, and the store has a port of its own.
        if command.startswith("alias "):
            continue
        said = shell.run(command.replace("http://127.0.0.1:8080", url)).rstrip("\n") + "\n"
        wanted = pattern(expected) if expected else re.compile(r"\n?")
        if not wanted.fullmatch(said):
            raise SystemExit(f"the README says of\n\n$ {command}\n\n" + "\n".join(expected) + f"\n\nand it is\n\n{said}")
    shell.bash.stdin.close()
    shell.bash.wait()
    print(f"{len(tour)} commands of the README say what it says")


main()
