# SPDX-License-Identifier: GPL-2.0-only
"""An instance of the WebAssembly module under wasmtime, which the pure wheel has in the place of
the programs: a program's name and flags in, its exit status and output out."""

import ctypes
import errno
import hashlib
import os
import platform
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import metadata
from subprocess import CompletedProcess
from types import ModuleType
from typing import Any

from study.base.errors import StudyError
from study.base.project import MODULE, user_cache, write_whole

PAGE_B = 1 << 16
MORE = 1.2  # growth factor of the memory, as in Emscripten: growing is costly
LOOK_S = 0.2  # interval between looks at a run that is not finished
STDERR = 2
# Emscripten's error numbers are WASI's; its flags of open() are Linux's.
ERRORS = {errno.EACCES: 2, errno.EBADF: 8, errno.EEXIST: 20, errno.EINVAL: 28, errno.EISDIR: 31}
ERRORS |= {errno.ENOENT: 44, errno.ENOSPC: 51, errno.ENOTDIR: 54, errno.EROFS: 69}
IO_ERROR, NO_SUCH_CALL, NO_TERMINAL = 29, 52, 59
OPEN = {0o1: "O_WRONLY", 0o2: "O_RDWR", 0o100: "O_CREAT", 0o200: "O_EXCL", 0o1000: "O_TRUNC"}
OPEN |= {0o2000: "O_APPEND"}
STAT_B, MODE_AT, SIZE_AT = 88, 12, 40  # offsets in its struct stat; only these fields are read

Watch = Callable[[float], object]


class Ended(Exception):
    """The program called exit() or abort()."""


class Instance:
    """One instance of the module. Runs are independent of each other. After a run was ended, or
    ended the instance, `is_lost` is True and it cannot run again."""

    def __init__(self) -> None:
        wasmtime = _wasmtime()
        config = wasmtime.Config()
        config.wasm_exceptions = config.epoch_interruption = True
        self._engine = wasmtime.Engine(config)
        self._traps = wasmtime.Trap, wasmtime.WasmtimeError, Ended
        self._store = wasmtime.Store(self._engine)
        self._store.set_epoch_deadline(1)
        self.is_lost = False
        self._said = bytearray()
        # The run has a thread of its own, so that another can watch the time.
        self._thread = ThreadPoolExecutor(1)
        module, linker = _compiled(wasmtime, self._engine), wasmtime.Linker(self._engine)
        for each in module.imports:
            call = getattr(self, f"_{each.name.strip('_')}", self._no_such_call)
            linker.define_func(each.module, each.name, each.type, call)
        self._exports = linker.instantiate(self._store, module).exports(self._store)
        self._memory = self._exports["memory"]
        self._call("__wasm_call_ctors")

    def completed(
        self, program: str, flags: Sequence[str], text: str = "", watch: Watch | None = None
    ) -> "CompletedProcess[str]":
        """Run a program as a process would, with `text` as its standard input. `watch` is called
        repeatedly with the seconds so far. An exception from it, or an interrupt, ends the run."""
        began = time.monotonic()
        run = self._thread.submit(self._run, program, flags, text)
        try:
            while True:
                try:
                    return run.result(timeout=LOOK_S)
                except TimeoutError:
                    if watch:
                        watch(time.monotonic() - began)
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        """End the current run."""
        self.is_lost = True
        self._engine.increment_epoch()

    def _run(self, program: str, flags: Sequence[str], text: str) -> "CompletedProcess[str]":
        self._said.clear()
        status, answer = -signal.SIGABRT, ""
        words = map(os.fsencode, (program, "\n".join(flags), text))
        try:
            places = [self._put(word) for word in words]
            place = self._call("study_run", *places)
            code, _, answer = self._text(place).decode(errors="replace").partition("\n")
            status = int(code)
            for each in (*places, place):
                self._call("free", each)
        except self._traps as trap:
            self.is_lost = True
            if isinstance(trap, Ended):
                status = trap.args[0]
            else:
                self._said += str(trap).partition("\n")[0].encode()
        return CompletedProcess(program, status, answer, self._said.decode(errors="replace"))

    def _call(self, name: str, *values: int) -> Any:
        return self._exports[name](self._store, *values)

    # Memory of the module

    def _address(self, place: int) -> int:
        """Return a machine address, valid until the module's memory grows."""
        return ctypes.addressof(self._memory.data_ptr(self._store).contents) + place

    def _put(self, text: bytes) -> int:
        place = self._call("malloc", len(text) + 1)
        self._write(place, text + b"\0")
        return place

    def _text(self, place: int) -> bytes:
        return ctypes.string_at(self._address(place))

    def _write(self, place: int, content: bytes) -> None:
        ctypes.memmove(self._address(place), content, len(content))

    def _number(self, place: int) -> int:
        return int.from_bytes(ctypes.string_at(self._address(place), 4), "little")

    def _pieces(self, vectors: int, count: int) -> list[tuple[int, int]]:
        """Return the place and size of each piece."""
        places = range(vectors, vectors + 8 * count, 8)
        return [(self._number(place), self._number(place + 4)) for place in places]

    # System calls that the module imports. Files are those of this machine.

    def _no_such_call(self, *_: int) -> int:
        return -NO_SUCH_CALL

    def _abort(self) -> None:
        raise Ended(-signal.SIGABRT)

    def _exit(self, status: int) -> None:
        raise Ended(status)

    def _emscripten_resize_heap(self, size_B: int) -> int:
        has_B = self._memory.data_len(self._store)
        wanted_B = max(size_B & 0xFFFFFFFF, int(has_B * MORE))
        with suppress(self._traps[1]):
            self._memory.grow(self._store, -(-(wanted_B - has_B) // PAGE_B))
            return 1
        return 0

    def _nothing(self, *_: int) -> int:
        return 0

    _strftime_l = _environ_get = _syscall_fcntl64 = _nothing

    def _environ_sizes_get(self, count: int, size_B: int) -> int:
        self._write(count, bytes(4))
        self._write(size_B, bytes(4))
        return 0

    def _syscall_open(self, path: int, how: int, _: int) -> int:
        flags = getattr(os, "O_BINARY", 0)
        for bit, name in OPEN.items():
            flags |= getattr(os, name) if how & bit else 0
        return _tried(lambda: os.open(self._path(path), flags, 0o666), -1)

    def _path(self, place: int) -> str:
        return os.fsdecode(self._text(place))

    def _syscall_stat64(self, path: int, place: int) -> int:
        def look() -> int:
            seen = os.stat(self._path(path))
            told = bytearray(STAT_B)
            for at, value, size_B in ((MODE_AT, seen.st_mode, 4), (SIZE_AT, seen.st_size, 8)):
                told[at : at + size_B] = value.to_bytes(size_B, "little")
            self._write(place, bytes(told))
            return 0

        return _tried(look, -1)

    def _syscall_rename(self, old: int, new: int) -> int:
        return _tried(lambda: os.replace(self._path(old), self._path(new)) or 0, -1)

    def _syscall_unlink(self, path: int) -> int:
        return _tried(lambda: os.unlink(self._path(path)) or 0, -1)

    def _syscall_readlink(self, path: int, place: int, most_B: int) -> int:
        def look() -> int:
            led = os.fsencode(os.readlink(self._path(path)))[:most_B]
            self._write(place, led)
            return len(led)

        return _tried(look, -1)

    def _syscall_getcwd(self, place: int, _: int) -> int:
        self._write(place, os.fsencode(os.getcwd()) + b"\0")
        return place

    def _syscall_openat(self, _: int, path: int, how: int, more: int) -> int:
        return self._syscall_open(path, how, more)

    def _syscall_ioctl(self, *_: int) -> int:
        return -NO_TERMINAL

    def _fd_write(self, file: int, vectors: int, count: int, done: int) -> int:
        parts = self._pieces(vectors, count)
        content = b"".join(ctypes.string_at(self._address(place), size) for place, size in parts)
        if file <= STDERR:
            self._said += content
            return self._counted(len(content), done)
        return _tried(lambda: self._counted(os.write(file, content), done))

    def _fd_read(self, file: int, vectors: int, count: int, done: int) -> int:
        def read() -> int:
            total = 0
            for place, size in self._pieces(vectors, count):
                content = os.read(file, size)
                self._write(place, content)
                total += len(content)
            return self._counted(total, done)

        return _tried(read)

    def _counted(self, size: int, place: int) -> int:
        self._write(place, size.to_bytes(4, "little"))
        return 0

    def _fd_seek(self, file: int, offset: int, whence: int, done: int) -> int:
        def seek() -> int:
            self._write(done, os.lseek(file, offset, whence).to_bytes(8, "little"))
            return 0

        return _tried(seek)

    def _fd_close(self, file: int) -> int:
        return _tried(lambda: os.close(file) or 0)


def _tried(call: Callable[[], int], sign: int = 1) -> int:
    try:
        return call()
    except OSError as error:
        return sign * ERRORS.get(error.errno, IO_ERROR)


def _wasmtime() -> ModuleType:
    try:
        import wasmtime
    except (ImportError, OSError, RuntimeError) as error:
        where = f"{platform.system()} {platform.machine()}"
        raise StudyError(
            f"this wheel simulates by wasmtime, and there is none for {where}; "
            "in the study's own folder ./waf ns3 and ./waf build make native programs"
        ) from error
    return wasmtime


def _compiled(wasmtime: ModuleType, engine: Any) -> Any:
    """Return the module compiled for this machine, cached if possible: it takes seconds."""
    content = MODULE.read_bytes()
    key = hashlib.sha256(content + metadata.version("wasmtime").encode()).hexdigest()[:16]
    kept = user_cache() / f"module-{key}.bin"
    # A cache of another processor or another version of wasmtime is refused.
    with suppress(wasmtime.WasmtimeError):
        if kept.is_file():
            return wasmtime.Module.deserialize_file(engine, str(kept))
    print("study: compiling the simulation for this machine, once: some seconds", file=sys.stderr)
    module = wasmtime.Module(engine, content)
    with suppress(StudyError, OSError):  # cached if it can be written
        for stale in kept.parent.glob("module-*.bin"):
            stale.unlink()
        write_whole({kept: bytes(module.serialize())})
    return module


_own: Instance | None = None
_lock = threading.Lock()


def completed(
    program: str, flags: Sequence[str], text: str = "", watch: Watch | None = None
) -> "CompletedProcess[str]":
    """Run a program in this process's only instance, which is made for the first run."""
    global _own
    with _lock:
        if _own is None or _own.is_lost:
            _own = Instance()
        return _own.completed(program, flags, text, watch)
