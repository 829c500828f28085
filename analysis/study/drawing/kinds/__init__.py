# SPDX-License-Identifier: GPL-2.0-only
"""Kinds of figures that can be drawn of any system with any parameters: one module each, named
after its file, with one function draw(system) -> Drawing, which may take a span or lists, too."""
