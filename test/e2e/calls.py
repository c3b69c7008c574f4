"""Makes calls as they come. Each line of stdin is a call as JSON, {rpc, request, metadata}. Each line of stdout is its
outcome, {text} or {error, code}.

usage: calls.py GENERATED_DIR ADDRESS
"""
import json
import sys

import grpc
from client import details
from google.protobuf import json_format
from troupe.v1 import browser_pb2, browser_pb2_grpc


def carry_out(browser, rpc, request, metadata):
    message = json_format.ParseDict(request, getattr(browser_pb2, f"{rpc}Request")())
    try:
        reply = getattr(browser, rpc)(message, metadata=list(metadata.items()), timeout=60)
        return {"text": reply.text if rpc != "Snapshot" else "".join(part.chunk for part in reply)}
    except grpc.RpcError as error:
        return {"error": json_format.MessageToDict(details(error)[0]), "code": error.code().name}


def main(_generated, address):
    with grpc.insecure_channel(address) as channel:
        browser = browser_pb2_grpc.BrowserStub(channel)
        for line in sys.stdin:
            print(json.dumps(carry_out(browser, **json.loads(line))), flush=True)


main(*sys.argv[1:])
