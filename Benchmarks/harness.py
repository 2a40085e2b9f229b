"""What every measurement needs: the upstream, the daemon, the bare programs, and the waiting for them."""

import atexit
import json
import os
import signal
import socket
import statistics
import subprocess
import threading
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
TOOLS = os.path.join(ROOT, ".build", "bench")
DAEMON = os.environ.get("REFRESHD", os.path.join(ROOT, ".build", "release", "refreshd"))
ROUNDS = int(os.environ.get("ROUNDS", "5"))


_started = []


def spawn(arguments, **options):
    """A program that ends with this one, however that ends."""
    process = subprocess.Popen(arguments, **{"stdin": subprocess.DEVNULL, **options})
    _started.append(process)
    return process


@atexit.register
def _end_all():
    for process in _started:
        if process.poll() is None:
            process.kill()
            process.wait()


def _stop(*_):
    raise SystemExit("stopped")


signal.signal(signal.SIGTERM, _stop)


def build(names=("upstream", "udsload", "streamload", "floor_query", "floor")):
    """The C programs, made when their source is newer."""
    os.makedirs(TOOLS, exist_ok=True)
    recipes = {
        "upstream": ["gcc", "-O2", "-w", "upstream.c"],
        "udsload": ["gcc", "-O2", "-w", "udsload.c"],
        "streamload": ["gcc", "-O2", "-w", "streamload.c", "-lsqlite3"],
        "floor_query": ["gcc", "-O2", "-w", "floor_query.c", "-lsqlite3"],
        "floor": ["g++", "-O2", "-std=c++17", "-march=native", "-w", "floor.cpp", "-lsimdjson", "-lcurl",
                  "-lexpat", "-lsqlite3", "-lpthread"],
    }
    for name in names:
        recipe = recipes[name]
        target = os.path.join(TOOLS, name)
        source = next(os.path.join(HERE, word) for word in recipe if word.startswith(name + "."))
        if not os.path.exists(target) or os.path.getmtime(target) < os.path.getmtime(source):
            subprocess.run([*recipe[:1], "-o", target, *recipe[1:]], cwd=HERE, check=True)


class Upstream:
    """The upstream program on a free port."""

    def __init__(self, *extra, records=200_000):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process = spawn(
            [os.path.join(TOOLS, "upstream"), str(self.port), *extra], env={**os.environ, "RECORDS": str(records)})
        self.url = f"http://127.0.0.1:{self.port}"
        # Two million records take a while to be written down.
        for _ in range(12000):
            try:
                self.ask("/ctl/stats")
                return
            except OSError:
                time.sleep(0.005)
        raise SystemExit("the upstream does not answer")

    def ask(self, path):
        with urllib.request.urlopen(self.url + path, timeout=60) as answer:
            return answer.read()

    def stats(self):
        return json.loads(self.ask("/ctl/stats"))

    def close(self):
        self.process.kill()
        self.process.wait()


class Daemon:
    """refreshd with a folder of its own; its peak memory is sampled from /proc."""

    def __init__(self, config, folder, program=DAEMON, under=()):
        """`under`: a program, with its arguments, that runs the daemon."""
        self.folder = folder
        self.socket = os.path.join(folder, "s")
        with open(os.path.join(folder, "plugins.yaml"), "w") as file:
            file.write(config)
        self.errors = open(os.path.join(folder, "log"), "w")
        self.started = time.monotonic()
        self.process = spawn(
            [*under, program, "--config", os.path.join(folder, "plugins.yaml"), "--socket", self.socket,
             "--state", os.path.join(folder, "state")], stderr=self.errors)

    def connect(self):
        for _ in range(20000):
            try:
                connection = socket.socket(socket.AF_UNIX)
                connection.connect(self.socket)
                return connection
            except OSError:
                connection.close()
                if self.process.poll() is not None:
                    raise SystemExit(f"refreshd ended: {open(self.errors.name).read()[-500:]}")
                time.sleep(0.002)
        raise SystemExit("refreshd does not answer")

    def ask(self, path, body=None, control=False):
        """A 200's JSON; with `body` it is a POST."""
        with self.connect() as connection:
            if control:
                connection.close()
                connection = socket.socket(socket.AF_UNIX)
                connection.connect(os.path.join(self.folder, "control.sock"))
            said = b"" if body is None else json.dumps(body).encode()
            head = "GET" if body is None else "POST"
            fields = f"Content-Type: application/json\r\nContent-Length: {len(said)}\r\n" if said else ""
            connection.sendall(
                f"{head} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{fields}\r\n".encode() + said)
            answer = b""
            while piece := connection.recv(1 << 20):
                answer += piece
            connection.close()
        head, _, answer = answer.partition(b"\r\n\r\n")
        if b" 200 " not in head.split(b"\r\n")[0] + b" ":
            raise SystemExit(f"{path}: {head.decode()} {answer[:500]!r}")
        return json.loads(answer)

    def refresh(self, feed):
        """A pass of a feed, from the wish to its end; the answer."""
        return self.ask(f"/v1/feeds/{feed}/refresh", {"mode": "now", "wait": "all", "deadline_ms": 60000})

    def memory(self):
        fields = {}
        for line in open(f"/proc/{self.process.pid}/status"):
            name, _, value = line.partition(":")
            if value.endswith(" kB\n"):
                fields[name] = int(value.split()[0]) / 1024
        return fields

    def cpu(self):
        """Seconds of processor that it has used, threads that have ended included."""
        # The clock of another process by its number (clock_getcpuclockid(3)).
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait(120) != 0:
            raise SystemExit(f"refreshd ended badly: {open(self.errors.name).read()[-500:]}")


def settled(daemon, upstream, requests, items, pause=0.004, patience=120):
    """Waits until the upstream was asked `requests` times and the daemon holds `items` with nothing in flight.

    The daemon is asked every `pause` seconds, which costs it something.
    """
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        stats = upstream.stats()
        if stats["ok200"] + stats["n304"] + stats["api"] >= requests:
            time.sleep(pause)
            status = daemon.ask("/v1/status")
            if status["in_flight"] == 0 and status["items"] == items:
                return
        time.sleep(0.004)
    raise SystemExit(f"not settled: {upstream.stats()} {daemon.ask('/v1/status')}")


def floor(*arguments):
    """Runs the floor program; seconds, what it printed, and its peak memory in MB, sampled."""
    started = time.monotonic()
    process = spawn([os.path.join(TOOLS, "floor"), *arguments], stdout=subprocess.PIPE)
    peak = 0
    while process.poll() is None:
        try:
            for line in open(f"/proc/{process.pid}/status"):
                if line.startswith("VmHWM"):
                    peak = max(peak, int(line.split()[1]) / 1024)
        except (OSError, ProcessLookupError):
            pass
        time.sleep(0.002)
    seconds = time.monotonic() - started
    return seconds, json.loads(process.stdout.read()), peak


def many_feeds(url, count, every="1h", parallel=32):
    lines = ["version: 1", "daemon:", f"  concurrency: {parallel}", f"  per_origin: {parallel}", "  allow_private: true",
             "  origin_gap: 0s",
             "  log: {level: error}",
             "defaults:", "  adapter: feed", f"  every: {every}", "  schedule: {min_gap: 0s}", "feeds:"]
    lines += [f"  f{number}: {{url: '{url}/rss/30/{number}.xml'}}" for number in range(count)]
    return "\n".join(lines) + "\n"


def refresh_all(daemon, count):
    """Asks for every feed, all requests in one go on one connection."""
    body = b'{"mode":"now"}'
    requests = b"".join(
        b"POST /v1/feeds/f%d/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n%s" % (number, len(body), body) for number in range(count))
    connection = daemon.connect()
    connection.settimeout(60)
    answers = 0
    view, sent = memoryview(requests), 0
    connection.setblocking(False)
    deadline = time.monotonic() + 60
    while answers < count and time.monotonic() < deadline:
        if sent < len(view):
            try:
                sent += connection.send(view[sent:sent + 65536])
            except BlockingIOError:
                pass
        try:
            answers += connection.recv(1 << 20).count(b"HTTP/1.1 ")
        except BlockingIOError:
            time.sleep(0.0002)
    connection.close()


def load(target, clients, path, seconds, keys, mode="http"):
    """Requests a second and p99 in microseconds of a closed loop over a Unix socket."""
    said = subprocess.run(
        [os.path.join(TOOLS, "udsload"), mode, target, str(clients), str(seconds), path],
        stdout=subprocess.PIPE, env={**os.environ, "KEYS": str(keys)}, check=True, timeout=60)
    figures = json.loads(said.stdout)
    check(figures["err"] == 0 and figures["rps"] > 0, figures)
    return figures


class Meanwhile:
    """Does `work` again and again on a thread of its own until the block ends; `times` says how often it was done."""

    def __init__(self, work):
        self.work, self.times, self.trouble = work, 0, None
        self.wanted = True
        self.thread = threading.Thread(target=self.run)

    def run(self):
        try:
            while self.wanted:
                self.work()
                self.times += 1
        except BaseException as trouble:
            self.trouble = trouble

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.wanted = False
        self.thread.join()
        if self.trouble:
            raise SystemExit(f"what went on meanwhile has failed: {self.trouble!r}")


def row(job, what, ours, floors, unit, **more):
    # Rounds take turns, so each is compared with the floor of the same moment.
    ratios = [mine / bare for mine, bare in zip(ours, floors)]
    return {"job": job, "what": what, "refreshd": median(ours), "floor": median(floors), "unit": unit,
            "ratio": round(statistics.median(ratios), 3), "rounds": len(ours), **more}


def check(holds, seen):
    if not holds:
        raise SystemExit(f"wrong answer, no figure: {seen}")


def median(values):
    return round(statistics.median(values), 4)
