# SPDX-License-Identifier: GPL-2.0-only
"""Network namespaces without privileges, and a TUN interface in each: what two hosts need.

`unshare` and the ioctls of Linux's netdevice(7) and tun; no program of the system is called.
"""

import ctypes
import fcntl
import os
import socket
import struct
import sys
from pathlib import Path

from study.base.errors import StudyError

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
SIOCGIFFLAGS, SIOCSIFFLAGS, SIOCSIFADDR, SIOCSIFNETMASK = 0x8913, 0x8914, 0x8916, 0x891C
SIOCSIFMTU, IFF_UP = 0x8922, 0x1
IFF_VNET_HDR, TUNSETOFFLOAD, TUN_F_CSUM, TUN_F_TSO4 = 0x4000, 0x400454D0, 0x01, 0x02
NAME = b"wire0"

ADDRESSES = ("10.0.0.1", "10.0.0.2")


class Forbidden(StudyError):
    """This machine lets us have no namespace, or no TUN interface."""


def enter_user_namespace() -> None:
    """A user namespace, whose root we are, and a network namespace of its own."""
    user, group = os.getuid(), os.getgid()
    _unshare(CLONE_NEWUSER | CLONE_NEWNET)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"0 {user} 1"),
        ("gid_map", f"0 {group} 1"),
    ):
        try:
            Path("/proc/self", name).write_text(text)
        except OSError as error:
            raise Forbidden(f"/proc/self/{name}: {error.strerror}") from None


def enter_network_namespace() -> None:
    """Another network namespace: what was opened before stays where it was."""
    _unshare(CLONE_NEWNET)


def open_tun(address: str, mtu: int, offload: bool = False) -> int:
    """A TUN interface of this network namespace, up and with an address: its descriptor.

    With offload the kernel leaves checksums and the cutting into segments to whoever reads it."""
    try:
        descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_CLOEXEC)
        # Without a flag of TUNSETOFFLOAD the kernel segments and checksums itself.
        kind = IFF_TUN | IFF_NO_PI | (IFF_VNET_HDR if offload else 0)
        fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH22x", NAME, kind))
        if offload:
            fcntl.ioctl(descriptor, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4)
    except OSError as error:
        raise Forbidden(f"/dev/net/tun: {error.strerror}") from None
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        for request, text in ((SIOCSIFADDR, address), (SIOCSIFNETMASK, "255.255.255.0")):
            fcntl.ioctl(any_socket, request, _request(_address(text)))
        fcntl.ioctl(any_socket, SIOCSIFMTU, _request(struct.pack("i", mtu)))
        flags = struct.unpack_from("H", fcntl.ioctl(any_socket, SIOCGIFFLAGS, _request(b"")), 16)[0]
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, _request(struct.pack("H", flags | IFF_UP)))
    return descriptor


def _request(value: bytes) -> bytes:
    """struct ifreq of netdevice(7)."""
    return struct.pack("16s24s", NAME, value)


def _address(text: str) -> bytes:
    return struct.pack("HH4s", socket.AF_INET, 0, socket.inet_aton(text))


def _unshare(flags: int) -> None:
    if not sys.platform.startswith("linux"):
        raise Forbidden("no Linux")
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(flags) != 0:
        raise Forbidden(f"unshare: {os.strerror(ctypes.get_errno())}")
