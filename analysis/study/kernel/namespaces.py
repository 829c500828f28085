# SPDX-License-Identifier: GPL-2.0-only
"""Network namespaces without privileges, and a TUN or TAP interface there: what real hosts need.

`unshare` and the ioctls of Linux's netdevice(7) and tun; no program of the system is called.
"""

import contextlib
import ctypes
import fcntl
import os
import signal
import socket
import struct
import sys
import time
from pathlib import Path

from study.base.errors import StudyError

TCP_SETTINGS = Path("/proc/sys/net/ipv4")  # of the caller's network namespace

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
TUNSETIFF, IFF_TUN, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x0001, 0x0002, 0x1000
SIOCGIFFLAGS, SIOCSIFFLAGS, SIOCSIFADDR, SIOCSIFNETMASK = 0x8913, 0x8914, 0x8916, 0x891C
SIOCSIFMTU, IFF_UP = 0x8922, 0x1
RTM_NEWLINK, NLM_F_REQUEST, NLM_F_ACK, IFLA_TXQLEN = 16, 0x1, 0x4, 13
IFF_VNET_HDR, TUNSETOFFLOAD, TUN_F_CSUM, TUN_F_TSO4 = 0x4000, 0x400454D0, 0x01, 0x02
NAME = b"wire0"
TUN = "/dev/net/tun"
# Packets between the kernel and the wire. A TUN interface has room for 500 by default and drops the
# rest of a burst; no transfer of the study has that many packets outstanding.
QUEUED_PACKETS = 1 << 16

ADDRESSES = ("10.0.0.1", "10.0.0.2")
ADDRESSES_6 = ("fd00::1", "fd00::2")
PREFIX_6 = 64  # in bits
ADDRESSES_OF_NOW_6, TENTATIVE, WAITS_6 = Path("/proc/self/net/if_inet6"), 0x40, 2000


class Forbidden(StudyError):
    """This machine permits no namespace, or no TUN interface."""


def enter_user_namespace() -> None:
    """Enter a user namespace, as its root, with a network namespace of its own."""
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
    """Enter another network namespace; files opened before stay in the old one."""
    _unshare(CLONE_NEWNET)


def network_namespace(process: int | str = "self") -> str:
    """Return the identity of a process's network namespace.

    :raises OSError: it has ended, or belongs to another user
    """
    return os.readlink(f"/proc/{process}/ns/net")


def end_all_in(namespace: str) -> None:
    """Kill all processes in a network namespace."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if network_namespace(process.name) == namespace:
                os.kill(int(process.name), signal.SIGKILL)


def open_tun(address: str, mtu: int, offload: bool = False) -> int:
    """Return the descriptor of a new TUN interface of this network namespace, up and with an
    address. With `offload` the kernel leaves checksums and segmentation to the reader."""
    descriptor = _opened(NAME, IFF_TUN | (IFF_VNET_HDR if offload else 0), TUN)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        _give_address(any_socket, NAME, address)
        set_mtu(any_socket, NAME, mtu)
        set_queue(NAME, QUEUED_PACKETS)
        _bring_up(any_socket, NAME)
    if family(address) == socket.AF_INET6:
        _wait_for_6(address)
    return descriptor


def open_tap(name: str) -> int:
    """Return the descriptor of a TAP interface, new or existing."""
    return _opened(name.encode(), IFF_TAP, f"the TAP interface {name}")


def _opened(name: bytes, kind: int, called: str) -> int:
    try:
        descriptor = os.open(TUN, os.O_RDWR | os.O_CLOEXEC)
    except OSError as error:
        raise Forbidden(f"{TUN}: {error.strerror}") from None
    try:
        fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH22x", name, kind | IFF_NO_PI))
        if kind & IFF_VNET_HDR:  # otherwise the kernel does segmentation and checksums
            fcntl.ioctl(descriptor, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4)
    except OSError as error:
        os.close(descriptor)
        raise Forbidden(f"{called}: {error.strerror}") from None
    return descriptor


def set_up(name: str, address: str) -> None:
    """Give an interface of this namespace an address in a /24 network, and bring it and the
    loopback up."""
    # Otherwise the kernel sends neighbour solicitations of its own.
    Path(f"/proc/sys/net/ipv6/conf/{name}/disable_ipv6").write_text("1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        _give_address(any_socket, name.encode(), address)
        _bring_up(any_socket, name.encode())
        _bring_up(any_socket, b"lo")


def set_mtu(any_socket: socket.socket, name: bytes, mtu: int) -> None:
    """Set an interface's MTU in bytes."""
    fcntl.ioctl(any_socket, SIOCSIFMTU, _request(name, struct.pack("i", mtu)))


def set_queue(name: bytes, packets: int) -> None:
    """Set how many packets wait for the reader of an interface.

    It uses rtnetlink(7), since the ioctl needs the real root.
    """
    index = socket.if_nametoindex(name)
    link = struct.pack("BxHiII", socket.AF_UNSPEC, 0, index, 0, 0)
    asked = link + struct.pack("HHI", 8, IFLA_TXQLEN, packets)
    ask_rtnetlink(RTM_NEWLINK, 0, asked, f"the queue of {name.decode()}")


def ask_rtnetlink(kind: int, flags: int, asked: bytes, what: str) -> None:
    """Ask the kernel for a change. Raise Forbidden if it refuses."""
    flags |= NLM_F_REQUEST | NLM_F_ACK
    head = struct.pack("IHHII", 16 + len(asked), kind, flags, 1, 0)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE) as netlink:
        netlink.send(head + asked)
        # The answer is an error message; 0 means success.
        error = -struct.unpack_from("i", netlink.recv(65536), 16)[0]
    if error:
        raise Forbidden(f"{what}: {os.strerror(error)}")


def family(address: str) -> socket.AddressFamily:
    """Return the family of an IPv4 or IPv6 address."""
    return socket.AF_INET6 if ":" in address else socket.AF_INET


def _give_address(any_socket: socket.socket, name: bytes, address: str) -> None:
    if family(address) == socket.AF_INET6:
        _give_address_6(name, address)
        return
    for request, text in ((SIOCSIFADDR, address), (SIOCSIFNETMASK, "255.255.255.0")):
        fcntl.ioctl(any_socket, request, _request(name, _address(text)))


def _give_address_6(name: bytes, address: str) -> None:
    """Add an IPv6 address. Raise Forbidden if the kernel has no IPv6."""
    octets, index = socket.inet_pton(socket.AF_INET6, address), socket.if_nametoindex(name)
    asked = struct.pack("16sIi", octets, PREFIX_6, index)  # struct in6_ifreq
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as any_socket:
            fcntl.ioctl(any_socket, SIOCSIFADDR, asked)
    except OSError as error:
        raise Forbidden(f"an address of IPv6: {error.strerror}") from None


def _wait_for_6(address: str) -> None:
    """Wait until the kernel accepts the address (RFC 4862, 5.4), some ms after the interface is
    up."""
    wanted = socket.inet_pton(socket.AF_INET6, address).hex()
    for _ in range(WAITS_6):
        rows = [row.split() for row in ADDRESSES_OF_NOW_6.read_text().splitlines()]
        if any(row[0] == wanted and not int(row[4], 16) & TENTATIVE for row in rows):
            return
        time.sleep(0.001)
    raise Forbidden(f"the address {address} is not taken")


def _bring_up(any_socket: socket.socket, name: bytes) -> None:
    given = fcntl.ioctl(any_socket, SIOCGIFFLAGS, _request(name, b""))
    flags = struct.unpack_from("H", given, 16)[0]
    fcntl.ioctl(any_socket, SIOCSIFFLAGS, _request(name, struct.pack("H", flags | IFF_UP)))


def _request(name: bytes, value: bytes) -> bytes:
    """Return a struct ifreq of netdevice(7)."""
    return struct.pack("16s24s", name, value)


def _address(text: str) -> bytes:
    return struct.pack("HH4s", socket.AF_INET, 0, socket.inet_aton(text))


def _unshare(flags: int) -> None:
    if not sys.platform.startswith("linux"):
        raise Forbidden("no Linux")
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(flags) != 0:
        raise Forbidden(f"unshare: {os.strerror(ctypes.get_errno())}")


def processes_below(process: int) -> list[int]:
    """Return all descendants of a process, including adopted ones."""
    found = []
    try:
        for tasks in Path(f"/proc/{process}/task").iterdir():
            for each in map(int, Path(tasks, "children").read_text().split()):
                found += [each, *processes_below(each)]
    except OSError:
        pass  # it has just ended
    return found
