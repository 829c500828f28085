# SPDX-License-Identifier: GPL-2.0-only
"""In a reader's words, what each limit of a TCP connection is a wait for."""

TCP = {
    "receive_window": "the sender has filled the receiver's window and waits for its ACK",
    "delayed_ack": "the receiver keeps back its ACK on purpose",
    "cpu": "the sender's own work, segment after segment",
    "link": "the line is carrying frames, and can carry no more",
    "send_buffer": "the send buffer is full of data not yet acknowledged",
    "congestion_window": "the congestion window has no room",
    "nagle": "Nagle's algorithm holds a small segment until an ACK comes",
    "loss_recovery": "what was lost is sent again",
    "last_ack": "all is sent, and the receiver has not acknowledged it yet",
    "path_queue": "all is sent, and waits in a queue of the path",
    "round_trip": "all is sent, and is on its way, or the answer is",
    "drain": "the receiver's buffer is full until its program reads",
    "window_update": "the receiver's buffer is empty, and the sender has not been told",
    "application": "the programs at both ends answer each other",
    "handshake": "the connection is being set up",
}
