"""Known programs to be compared with: nginx and redis of Debian, unpacked below .build and run on sockets of their own.

Neither is installed, and no service of the system is started or asked.
"""

import glob
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from harness import TOOLS, spawn

FOLDER = os.path.join(TOOLS, "debian")
PACKAGES = ["nginx", "redis-tools", "liblzf1", "libjemalloc2"]


def program(name):
    """Where a program lies, fetched where it is missing; None where it cannot be."""
    path = {"nginx": "usr/sbin/nginx", "redis": "usr/bin/redis-check-rdb"}[name]
    path = os.path.join(FOLDER, path)
    if not os.path.exists(path):
        fetch()
    return path if os.path.exists(path) else None


def fetch():
    if not shutil.which("apt-get") or not shutil.which("dpkg"):
        return
    with tempfile.TemporaryDirectory() as folder:
        # apt fetches as another user, who has to be able to write there.
        os.chmod(folder, 0o777)
        try:
            done = subprocess.run(["apt-get", "-qq", "download", *PACKAGES], cwd=folder, stdin=subprocess.DEVNULL,
                                  timeout=120)
        except subprocess.TimeoutExpired:
            return
        if done.returncode == 0:
            for package in glob.glob(os.path.join(folder, "*.deb")):
                subprocess.run(["dpkg", "-x", package, FOLDER], check=True)


def environment():
    found = [os.path.dirname(path) for path in glob.glob(f"{FOLDER}/usr/lib/*/liblzf.so*")]
    return {**os.environ, "LD_LIBRARY_PATH": found[0] if found else ""}


def connected(path):
    for _ in range(2000):
        try:
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(path)
            return connection
        except OSError:
            connection.close()
            time.sleep(0.005)
    raise SystemExit(f"nobody answers at {path}")


class Nginx:
    """Files as they lie on the disk: one worker, no log, open files remembered."""

    CONFIG = """
daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/nginx.log crit; worker_processes 1;
events {{ worker_connections 4096; }}
http {{
  access_log off; keepalive_requests 1000000000; sendfile on; tcp_nopush on;
  open_file_cache max=10000 inactive=1h; open_file_cache_valid 1h; default_type application/json;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  server {{ listen unix:{folder}/nginx.sock; root {folder}/files; }}
}}
"""

    def __init__(self, folder, files):
        """`files`: bodies by their path."""
        self.socket = os.path.join(folder, "nginx.sock")
        for name, body in files.items():
            path = os.path.join(folder, "files", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(body)
        config = os.path.join(folder, "nginx.conf")
        with open(config, "w") as file:
            file.write(self.CONFIG.format(folder=folder))
        self.process = spawn([program("nginx"), "-p", folder, "-c", config])
        connected(self.socket).close()

    def close(self):
        self.process.terminate()
        self.process.wait()


class Redis:
    """Values in memory: nothing is saved."""

    def __init__(self, folder, items, pages):
        """`items`: values that GET reads; `pages`: lists of values that LRANGE reads; both numbered from 1."""
        self.socket = os.path.join(folder, "redis.sock")
        # The program goes by the name that it is called by.
        self.process = spawn(
            ["redis-server", "--port", "0", "--unixsocket", self.socket, "--save", "", "--appendonly", "no",
             "--dir", folder, "--loglevel", "warning"], executable=program("redis"), env=environment(),
            stdout=subprocess.DEVNULL)
        with connected(self.socket) as connection:
            for number, item in enumerate(items, 1):
                self.command(connection, b"SET", b"item:%d" % number, item)
            for number, page in enumerate(pages, 1):
                self.command(connection, b"RPUSH", b"page:%d" % number, *page)

    @staticmethod
    def command(connection, *words):
        connection.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words))
        answer = connection.recv(65536)
        if answer[:1] not in b"+:":
            raise SystemExit(f"redis says {answer!r}")

    def close(self):
        self.process.terminate()
        self.process.wait()


def all_of(names, folder, **wanted):
    """Those of the programs that there are, running."""
    there = {}
    for name in names:
        if program(name) is None:
            print(f"bench: {name} is left out: it cannot be fetched from Debian", file=sys.stderr)
        else:
            there[name] = {"nginx": Nginx, "redis": Redis}[name](folder, **wanted[name])
    return there
