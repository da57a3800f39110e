"""The menus that a program shows, as a screen reader knows them (AT-SPI).

Usage: menus.py PROGRAM            prints the labels of the open menu items as JSON
       menus.py PROGRAM LABEL      chooses the first of them with this label; fails where there is none
"""

import json
import sys
import warnings

import gi

warnings.simplefilter("ignore")
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

ITEMS = {Atspi.Role.MENU, Atspi.Role.MENU_ITEM}


def below(node):
    """Everything in a program, without what went away meanwhile."""
    try:
        if node is None:
            return
        yield node
        for n in range(node.get_child_count()):
            yield from below(node.get_child_at_index(n))
    except gi.repository.GLib.Error:
        return


def is_open(node):
    try:
        return node.get_role() in ITEMS and node.get_state_set().contains(Atspi.StateType.SHOWING)
    except gi.repository.GLib.Error:
        return False


program, *wanted = sys.argv[1:]
Atspi.init()
desktop = Atspi.get_desktop(0)
programs = [desktop.get_child_at_index(n) for n in range(desktop.get_child_count())]
items = [item for one in programs if one and one.get_name() == program for item in below(one) if is_open(item)]
if not wanted:
    print(json.dumps([item.get_name() for item in items]))
    sys.exit()
for item in items:
    if item.get_name() == wanted[0]:
        item.do_action(0)
        sys.exit()
sys.exit(1)
