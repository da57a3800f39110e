"""Another program in which something was copied, until something else is copied.

Usage: copy-source.py TYPE < BYTES
GTK by its C interface, as in drag-source.py. Prints `ready` once the clipboard is its own.
"""

import ctypes
import sys

gtk = ctypes.CDLL("libgtk-3.so.0")
gdk = ctypes.CDLL("libgdk-3.so.0")
POINTER = ctypes.c_void_p
gdk.gdk_atom_intern.restype = gdk.gdk_display_get_default.restype = gtk.gtk_clipboard_get.restype = POINTER
kind = sys.argv[1].encode()
data = sys.stdin.buffer.read()


class Target(ctypes.Structure):
    _fields_ = [("target", ctypes.c_char_p), ("flags", ctypes.c_uint), ("info", ctypes.c_uint)]


@ctypes.CFUNCTYPE(None, POINTER, POINTER, ctypes.c_uint, POINTER)
def give(clipboard, selection, info, user):
    gtk.gtk_selection_data_set(POINTER(selection), POINTER(gdk.gdk_atom_intern(kind, 0)), 8, data, len(data))


@ctypes.CFUNCTYPE(None, POINTER, POINTER)
def clear(clipboard, user):
    gtk.gtk_main_quit()


gtk.gtk_init(None, None)
clipboard = POINTER(gtk.gtk_clipboard_get(POINTER(gdk.gdk_atom_intern(b"CLIPBOARD", 0))))
targets = (Target * 1)(Target(kind, 0, 0))
if not gtk.gtk_clipboard_set_with_data(clipboard, targets, 1, give, clear, None):
    sys.exit(1)
gdk.gdk_display_sync(POINTER(gdk.gdk_display_get_default()))
print("ready", flush=True)
gtk.gtk_main()
