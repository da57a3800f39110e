"""What systemd has at NOTIFY_SOCKET: prints each datagram as a line of JSON, split at line ends."""
import array, json, os, socket, sys

receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1])
print(json.dumps("bound"), flush=True)
while True:
    data, ancillary, _flags, _address = receiver.recvmsg(65536, socket.CMSG_SPACE(256))
    for _level, kind, value in ancillary:
        # systemd-notify waits until the other end of this is closed.
        if kind == socket.SCM_RIGHTS:
            for descriptor in array.array("i", value):
                os.close(descriptor)
    print(json.dumps(data.decode().split("\n")), flush=True)
