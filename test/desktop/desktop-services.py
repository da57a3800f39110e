"""What a desktop has on its buses, for tests: a tray with a host, notifications and login1.

Usage: desktop-services.py [--without-tray-host]
The buses are those of DBUS_SESSION_BUS_ADDRESS and DBUS_SYSTEM_BUS_ADDRESS. Prints `ready`, then reads one JSON object a
line, such as {"do": "menu"}, and answers each with one line.
"""

import json
import os
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
session = dbus.SessionBus()
system = dbus.SystemBus()

PROPERTIES = "org.freedesktop.DBus.Properties"
WATCHER = "org.kde.StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
MENU = "com.canonical.dbusmenu"
NOTIFICATIONS = "org.freedesktop.Notifications"
SECRETS = "org.freedesktop.secrets"
LOGIN = "org.freedesktop.login1"


class TrayWatcher(dbus.service.Object):
    def __init__(self):
        self.items = []
        self.has_host = True
        super().__init__(dbus.service.BusName(WATCHER, session), "/StatusNotifierWatcher")

    @dbus.service.method(WATCHER, in_signature="s", sender_keyword="sender")
    def RegisterStatusNotifierItem(self, service, sender=None):
        item = (sender, str(service)) if service.startswith("/") else (str(service), "/StatusNotifierItem")
        self.items.append(item)
        session.watch_name_owner(item[0], lambda owner: None if owner else self.forget(item))
        self.StatusNotifierItemRegistered(service)

    def forget(self, item):
        if item in self.items:
            self.items.remove(item)

    @dbus.service.method(WATCHER, in_signature="s")
    def RegisterStatusNotifierHost(self, service):
        self.has_host = True
        self.StatusNotifierHostRegistered()

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return self.GetAll(interface)[name]

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return {
            "IsStatusNotifierHostRegistered": dbus.Boolean(self.has_host),
            "ProtocolVersion": dbus.Int32(0),
            "RegisteredStatusNotifierItems": dbus.Array([name for name, _ in self.items], signature="s"),
        }

    @dbus.service.signal(WATCHER, signature="s")
    def StatusNotifierItemRegistered(self, service):
        pass

    @dbus.service.signal(WATCHER)
    def StatusNotifierHostRegistered(self):
        pass


class NotificationServer(dbus.service.Object):
    def __init__(self):
        self.shown = []
        super().__init__(dbus.service.BusName(NOTIFICATIONS, session), "/org/freedesktop/Notifications")

    @dbus.service.method(NOTIFICATIONS, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, replaces, icon, title, body, actions, hints, timeout):
        self.shown.append({"title": str(title)})
        return dbus.UInt32(replaces or len(self.shown))

    @dbus.service.method(NOTIFICATIONS, out_signature="as")
    def GetCapabilities(self):
        return ["body", "actions"]

    @dbus.service.method(NOTIFICATIONS, out_signature="ssss")
    def GetServerInformation(self):
        return ("tests", "tests", "1", "1.2")

    @dbus.service.method(NOTIFICATIONS, in_signature="u")
    def CloseNotification(self, number):
        self.NotificationClosed(number, 3)

    @dbus.service.signal(NOTIFICATIONS, signature="us")
    def ActionInvoked(self, number, action):
        pass

    @dbus.service.signal(NOTIFICATIONS, signature="uu")
    def NotificationClosed(self, number, reason):
        pass


class LoginManager(dbus.service.Object):
    def __init__(self):
        self.inhibitors = []
        super().__init__(dbus.service.BusName(LOGIN, system), "/org/freedesktop/login1")

    @dbus.service.method(LOGIN + ".Manager", in_signature="ssss", out_signature="h")
    def Inhibit(self, what, who, why, mode):
        reading, writing = os.pipe()
        self.inhibitors.append({"what": str(what)})
        taken = dbus.types.UnixFd(writing)
        os.close(writing)
        return taken

    @dbus.service.signal(LOGIN + ".Manager", signature="b")
    def PrepareForSleep(self, begins):
        pass

    @dbus.service.signal(LOGIN + ".Manager", signature="b")
    def PrepareForShutdown(self, begins):
        pass


tray = None if "--without-tray-host" in sys.argv else TrayWatcher()
notifications = NotificationServer()
login = LoginManager()


def called(method, *args):
    """What a method answers. The buses are served meanwhile: the app may wait for a notification to be taken before it answers."""
    ended = []
    method(
        *args,
        reply_handler=lambda *values: ended.append((None, values)),
        error_handler=lambda error: ended.append((error, None)),
        timeout=10,
    )
    while not ended:
        GLib.MainContext.default().iteration(True)
    [(error, values)] = ended
    if error is not None:
        raise error
    return values[0] if len(values) == 1 else values


def menu():
    """The newest tray item's bus name, the menu's path, and its entries; None where there is no item."""
    if tray is None or not tray.items:
        return None
    name, path = tray.items[-1]
    item = session.get_object(name, path, introspect=False)
    get = dbus.Interface(item, PROPERTIES)
    menu_path = str(called(get.Get, ITEM, "Menu"))
    shown = session.get_object(name, menu_path, introspect=False)
    _, layout = called(dbus.Interface(shown, MENU).GetLayout, 0, -1, dbus.Array([], signature="s"))
    entries = [
        {
            "id": int(number),
            "label": str(properties.get("label", "")).replace("_", ""),
            "enabled": bool(properties.get("enabled", True)),
        }
        for number, properties, _ in layout[2]
    ]
    return {"name": name, "path": menu_path, "entries": [entry for entry in entries if entry["label"]]}


def choose(label):
    now = menu()
    [entry] = [entry for entry in now["entries"] if entry["label"] == label]
    shown = session.get_object(now["name"], now["path"], introspect=False)
    value = dbus.Int32(0, variant_level=1)
    called(dbus.Interface(shown, MENU).Event, dbus.Int32(entry["id"]), "clicked", value, dbus.UInt32(0))


def collections(service):
    return dbus.Interface(service, PROPERTIES).Get("org.freedesktop.Secret.Service", "Collections")


def secrets():
    service = session.get_object(SECRETS, "/org/freedesktop/secrets", introspect=False)
    found = []
    for path in collections(service):
        collection = session.get_object(SECRETS, path, introspect=False)
        for item in dbus.Interface(collection, PROPERTIES).Get("org.freedesktop.Secret.Collection", "Items"):
            of = dbus.Interface(session.get_object(SECRETS, item, introspect=False), PROPERTIES)
            attributes = of.Get("org.freedesktop.Secret.Item", "Attributes")
            found.append({str(name): str(value) for name, value in attributes.items()})
    return found


def answer(request):
    what = request["do"]
    if what == "menu":
        now = menu()
        return None if now is None else now["entries"]
    if what == "choose":
        return choose(request["label"])
    if what == "activate":
        name, path = tray.items[-1]
        item = session.get_object(name, path, introspect=False)
        called(dbus.Interface(item, ITEM).Activate, dbus.Int32(0), dbus.Int32(0))
        return None
    if what == "notifications":
        return notifications.shown
    if what == "click notification":
        number = dbus.UInt32(request["number"])
        notifications.ActionInvoked(number, "default")
        return notifications.NotificationClosed(number, dbus.UInt32(2))
    if what == "inhibitors":
        return login.inhibitors
    if what == "sleep":
        return login.PrepareForSleep(request["begins"])
    if what == "shutdown":
        return login.PrepareForShutdown(True)
    if what == "secrets":
        return secrets()
    if what == "unlock keyring":
        # As another program of the session does it that knows the password: no dialog.
        service = session.get_object(SECRETS, "/org/freedesktop/secrets", introspect=False)
        plain = dbus.String("", variant_level=1)
        _, opened = dbus.Interface(service, "org.freedesktop.Secret.Service").OpenSession("plain", plain)
        secret = (opened, dbus.ByteArray(b""), dbus.ByteArray(request["password"].encode()), "text/plain")
        internal = dbus.Interface(service, "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface")
        for collection in collections(service):
            if "session" not in collection:
                internal.UnlockWithMasterPassword(collection, dbus.Struct(secret, signature="oayays"))
        return None
    if what == "lock keyring":
        service = session.get_object(SECRETS, "/org/freedesktop/secrets", introspect=False)
        every = dbus.Array([dbus.ObjectPath(path) for path in collections(service)], signature="o")
        dbus.Interface(service, "org.freedesktop.Secret.Service").Lock(every)
        return None
    raise ValueError(what)


def read(source, condition):
    line = sys.stdin.readline()
    if not line:
        loop.quit()
        return False
    try:
        reply = {"value": answer(json.loads(line))}
    except Exception as error:
        reply = {"error": repr(error)}
    print(json.dumps(reply), flush=True)
    return True


loop = GLib.MainLoop()
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, read)
print("ready", flush=True)
loop.run()
