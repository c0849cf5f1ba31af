"""What tools/mutate works with: a copy of the tree, its build, the tests, where each of them goes, and a changed file.

Nothing but the changed file is compiled, with -O1, and only the program of the group whose test comes next is linked. A
test that does not go to the changed place cannot notice the change and is not run: which ones go there is found once
from test programs that note where they have been (gcc's -fsanitize-coverage=trace-pc, tools/mutation_trace.c)."""
import bisect
import hashlib
import json
import os
import resource
import shlex
import shutil
import subprocess
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OPTIONS = ["-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -DCAROM_ARENA_CHUNK=0",
           "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCAROM_BUILD_CLI=OFF", "-DCAROM_BUILD_PYTHON=OFF",
           "-DCAROM_BUILD_EXAMPLES=OFF", "-DCAROM_BUILD_MPI=OFF", "-DCAROM_VIEWER=OFF"]
SLOWEST = 30  # seconds of a test that is taken, while it notes where it goes
TURN = "1a2b3c4"  # tests that take a part of their cases take the same ones for all mutants


def hash_of(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:16]


def run(command, folder, log, **more):
    return subprocess.run(command, cwd=folder, stdout=log, stderr=log, check=False, **more).returncode


def output_of(command, folder, **more):
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=True, **more).stdout


class Tree:
    """The copy, its build, and what is known of its tests."""

    def __init__(self, folder, groups):
        self.top, self.build = os.path.abspath(folder), os.path.join(os.path.abspath(folder), "build", "dev")
        self.groups, self.plain = groups, {}
        self.work = os.path.join(self.top, "build", "mutant")
        os.makedirs(self.work, exist_ok=True)
        self.log = open(os.path.join(self.top, "mutate.log"), "ab")
        self.copy()
        self.make()
        self.read_build()

    def copy(self):
        """What git knows of the tree and what is new in it, as it stands; files that did not change keep their time."""
        listed = output_of(["git", "ls-files", "-co", "--exclude-standard"], TOP)
        names = {name for name in listed.split("\n") if name and os.path.isfile(os.path.join(TOP, name))}
        for name in names:
            source, target = os.path.join(TOP, name), os.path.join(self.top, name)
            if not os.path.exists(target) or hash_of(source) != hash_of(target):
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copyfile(source, target)
        for part in ("src", "tests"):
            for where, _, files in os.walk(os.path.join(self.top, part)):
                for name in files:
                    path = os.path.relpath(os.path.join(where, name), self.top)
                    if path not in names:
                        os.remove(os.path.join(self.top, path))

    def make(self):
        """Configures and builds the test programs of the groups."""
        linker = ["-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld"] if shutil.which("ld.lld") else []
        command = ["cmake", "-G", "Ninja", "-S", self.top, "-B", self.build] + OPTIONS + linker
        targets = ["test_" + group for group in self.groups]
        building = ["cmake", "--build", self.build, "--target"] + targets
        if run(command, self.top, self.log) or run(building, self.top, self.log):
            sys.exit("mutate: the copy in %s does not build; see mutate.log there" % self.top)

    def read_build(self):
        """Commands that compile a file and link a group; the tests."""
        with open(os.path.join(self.build, "compile_commands.json"), encoding="utf-8") as file:
            rows = json.load(file)
        self.compiling = {os.path.relpath(row["file"], self.top): shlex.split(row["command"]) for row in rows
                          if "carom_objects" in row["command"]}
        self.linking, self.tests = {}, {}
        for group in self.groups:
            lines = output_of(["ninja", "-t", "commands", "tests/test_" + group], self.build).strip().split("\n")
            self.linking[group] = shlex.split(lines[-1].replace(": && ", "").replace(" && :", ""))
        for row in json.loads(output_of(["ctest", "--show-only=json-v1"], self.build))["tests"]:
            about = {one["name"]: one["value"] for one in row["properties"]}
            group = row["name"].split(".")[0]
            if group in self.groups and row.get("command", [""])[0].endswith("/test_" + group):
                self.tests[row["name"]] = {"argument": row["command"][1], "group": group,
                                           "folder": about["WORKING_DIRECTORY"],
                                           "environment": dict(one.split("=", 1) for one in about["ENVIRONMENT"])}

    def compile(self, path, source, target, more):
        """Compiles a file of src/ whose text stands in another one."""
        command = [word for word in self.compiling[path] if os.path.basename(word) != "ccache"]
        command[command.index("-o") + 1] = target
        command[command.index("-c") + 1] = source
        beside = os.path.dirname(os.path.join(self.top, path))
        return run(command + ["-w", "-iquote", beside] + more, self.build, self.log)

    def link(self, group, objects, target):
        """Links a test program with objects in the place of those of the library that define the same."""
        command = list(self.linking[group])
        at = command.index("-o")
        command[at + 1] = target
        return run(command[:at] + objects + command[at:], self.build, self.log)

    def call(self, name, program, limit, reached=None):
        """The status with which a test ends, None where it waits for ever; the system ends it after `limit` seconds of
        processor time."""
        test = self.tests[name]
        environment = dict(os.environ, CAROM_TEST_TURN=TURN, **test["environment"])
        if reached:
            environment["CAROM_REACHED"] = reached
        seconds = int(limit) + 1
        try:
            return run([program, test["argument"]], test["folder"], subprocess.DEVNULL, env=environment,
                       timeout=30 + 10 * seconds,
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1)))
        except subprocess.TimeoutExpired:
            return None


class Reach:
    """Where each test goes, and how long it takes."""

    def __init__(self, tree, patterns, budget):
        self.budget = budget  # seconds of tests for one mutant, measured while they note where they go
        self.tree, self.name = tree, os.path.join(tree.top, "reach.json")
        self.known = {"files": {}, "tests": {}}
        if os.path.exists(self.name):
            with open(self.name, encoding="utf-8") as file:
                self.known = json.load(file)
        self.paths = sorted(path for path in tree.compiling if any(path.startswith(folder + "/") for folder in patterns))
        self.files = {path: hash_of(os.path.join(tree.top, path)) for path in self.paths}
        self.headers = self.hash_of_headers()
        known, rows = self.known["tests"], [pattern for row in patterns.values() for pattern in row]
        stale = [name for name in sorted(tree.tests) if known.get(name, {}).get("source") != self.source(name)
                 and any(pattern.match(name) for pattern in rows)]
        if stale:
            self.trace(stale)
        self.lines = {}
        for test in self.known["tests"].values():
            for path, lines in test["lines"].items():
                self.lines.setdefault(path, set()).update(lines)
        self.lines = {path: sorted(lines) for path, lines in self.lines.items()}

    def hash_of_headers(self):
        """Of all that files may include: what was compiled with other ones does not fit together."""
        both = hashlib.sha256()
        for part in ("src", "include"):
            for where, _, names in sorted(os.walk(os.path.join(self.tree.top, part))):
                for name in sorted(name for name in names if name.endswith((".h", ".def"))):
                    both.update(hash_of(os.path.join(where, name)).encode())
        return both.hexdigest()[:16]

    def source(self, name):
        group, short = name.split(".")
        return hash_of(os.path.join(self.tree.top, "tests", group, "test_" + short + ".c"))

    def trace(self, names):
        """Builds the programs that note where they go and runs tests in them."""
        tree, folder = self.tree, os.path.join(self.tree.work, "trace")
        os.makedirs(folder, exist_ok=True)
        if not self.known["files"]:
            self.known["files"] = self.files
        objects = [os.path.join(folder, "trace.o")]
        noting = os.path.join(TOP, "tools", "mutation_trace.c")
        failed = run(["cc", "-O2", "-c", noting, "-o", objects[0]], tree.top, tree.log)
        for path in self.paths:
            objects.append(os.path.join(folder, path.replace("/", "_") + ".o"))
            mark = objects[-1] + "." + self.files[path] + self.headers
            if not os.path.exists(mark):
                more = ["-Og", "-g1", "-fsanitize-coverage=trace-pc"]
                failed |= tree.compile(path, os.path.join(tree.top, path), objects[-1], more)
                if not failed:
                    open(mark, "w", encoding="utf-8").close()
        if failed:
            sys.exit("mutate: the programs that note where they go do not build; see mutate.log")
        for group in sorted({tree.tests[name]["group"] for name in names}):
            program = os.path.join(folder, "test_" + group)
            if tree.link(group, objects, program):
                sys.exit("mutate: the programs that note where they go do not link; see mutate.log")
            for name in [name for name in names if tree.tests[name]["group"] == group]:
                self.trace_one(name, program, os.path.join(folder, "reached"))
                with open(self.name, "w", encoding="utf-8") as file:
                    json.dump(self.known, file)

    def trace_one(self, name, program, reached):
        if os.path.exists(reached):
            os.remove(reached)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        status = self.tree.call(name, program, SLOWEST, reached)
        seconds, lines = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, {}
        if status in (0, 77) and os.path.exists(reached):
            with open(reached, encoding="utf-8") as file:
                found = output_of(["addr2line", "-e", program], self.tree.top, stdin=file)
            for place in set(found.split("\n")):
                path, _, number = place.split(" (")[0].partition(":")
                path = os.path.relpath(path, self.tree.top) if path else ""
                if path in self.files and number.isdigit():
                    lines.setdefault(path, []).append(int(number))
        print("reach: %s, status %s, %.1f s, %d files" % (name, status, seconds, len(lines)), flush=True)
        self.known["tests"][name] = {"source": self.source(name), "seconds": seconds, "good": status == 0,
                                     "lines": lines}

    def of(self, path, number, patterns):
        """The tests to run for a changed line: those that go there, the quick and likely ones first, in the budget. Of a
        file that has changed since they noted that, those that go into the file."""
        if self.known["files"].get(path) == self.files[path]:
            known = self.lines.get(path, [])
            at = bisect.bisect_right(known, number)
            near = set(known[max(0, at - 3):at] + known[at:at + 1])
        else:
            near = None
        found = []
        for name, test in self.known["tests"].items():
            if name not in self.tree.tests or not test["good"]:
                continue
            ranks = [rank for rank, pattern in enumerate(patterns) if pattern.match(name)]
            lines = set(test["lines"].get(path, []))
            if ranks and (lines if near is None else near & lines):
                found.append(((0.05 + test["seconds"]) * (1 + ranks[0]), name))
        taken, seconds = [], 0
        for _, name in sorted(found):
            seconds += self.known["tests"][name]["seconds"]
            if seconds <= self.budget or len(taken) < 3:
                taken.append(name)
        return taken


def try_out(tree, reach, mutant, patterns):
    """What became of a mutant, and by which test: 'noticed', 'lived', 'same program' or 'no program'."""
    with open(os.path.join(tree.top, mutant.path), encoding="utf-8") as file:
        lines = file.read().split("\n")
    source, changed = os.path.join(tree.work, "source.c"), os.path.join(tree.work, "changed.o")
    for whole in ([] if mutant.path in tree.plain else [None]) + [mutant.whole]:
        lines[mutant.number - 1] = whole or lines[mutant.number - 1]
        with open(source, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        if tree.compile(mutant.path, source, changed, []):
            return "no program", "", 0
        tree.plain.setdefault(mutant.path, hash_of(changed))
    if hash_of(changed) == tree.plain[mutant.path]:
        return "same program", "", 0
    linked, tests = set(), reach.of(mutant.path, mutant.number, patterns)
    for name in tests:
        group = tree.tests[name]["group"]
        program = os.path.join(tree.work, "test_" + group)
        if group not in linked and tree.link(group, [changed], program):
            return "no program", "", 0
        linked.add(group)
        status = tree.call(name, program, 10 + 5 * reach.known["tests"][name]["seconds"])
        if status not in (0, 77):
            return "noticed", name + (" (time)" if status is None or status == -24 else ""), len(tests)
    return "lived", "", len(tests)
