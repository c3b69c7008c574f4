# Stands for systemd: reads the messages of sd_notify(3) at a socket, and prints each as a line of JSON.
import json
import os
import socket
import struct
import sys

receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
receiver.bind(sys.argv[1])
print("listening", flush=True)
while True:
    message, controls, _flags, _sender = receiver.recvmsg(4096, 1024)
    pid = 0
    for _level, kind, data in controls:
        if kind == socket.SCM_CREDENTIALS:
            pid = struct.unpack("3i", data)[0]
        # A sender waits until the descriptor that it has sent is closed.
        if kind == socket.SCM_RIGHTS:
            for (descriptor,) in struct.iter_unpack("i", data):
                os.close(descriptor)
    words = message.decode().splitlines()
    if words != ["BARRIER=1"]:
        print(json.dumps({"words": words, "pid": pid}), flush=True)
