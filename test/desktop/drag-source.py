"""A window of another program out of which files can be dragged, as from a file manager.

Usage: drag-source.py X Y FILE...
GTK by its C interface, because its bindings for Python are one more package. Prints `ready`, then `dropped` when they were taken.
"""

import ctypes
import pathlib
import sys

gtk = ctypes.CDLL("libgtk-3.so.0")
gobject = ctypes.CDLL("libgobject-2.0.so.0")
POINTER = ctypes.c_void_p
gtk.gtk_window_new.restype = gtk.gtk_event_box_new.restype = POINTER

BUTTON_1 = 1 << 8
COPY = 1 << 1
BY_HAND = 1
addresses = [pathlib.Path(path).as_uri().encode() for path in sys.argv[3:]]
listed = (ctypes.c_char_p * (len(addresses) + 1))(*addresses, None)


@ctypes.CFUNCTYPE(None, POINTER, POINTER, POINTER, ctypes.c_uint, ctypes.c_uint, POINTER)
def give(widget, context, selection, info, time, data):
    gtk.gtk_selection_data_set_uris(POINTER(selection), listed)


@ctypes.CFUNCTYPE(None, POINTER, POINTER, POINTER)
def end(widget, context, data):
    print("dropped", flush=True)


gtk.gtk_init(None, None)
window = POINTER(gtk.gtk_window_new(0))
gtk.gtk_window_set_title(window, b"Files to drag")
gtk.gtk_window_set_default_size(window, 200, 200)
gtk.gtk_window_set_keep_above(window, 1)
box = POINTER(gtk.gtk_event_box_new())
gtk.gtk_container_add(window, box)
gtk.gtk_drag_source_set(box, BUTTON_1, None, 0, COPY)
gtk.gtk_drag_source_add_uri_targets(box)
gobject.g_signal_connect_data(box, b"drag-data-get", give, None, None, 0)
gobject.g_signal_connect_data(box, b"drag-end", end, None, None, 0)
gtk.gtk_widget_show_all(window)
gtk.gtk_window_move(window, int(sys.argv[1]), int(sys.argv[2]))
print("ready", flush=True)
gtk.gtk_main()
