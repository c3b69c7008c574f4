"""Reads a page as the customer over gRPC, and prints the plan of a call that fails: python.py ADDRESS PAGE"""
import sys

import grpc
from google.rpc import status_pb2
from troupe.v1 import browser_pb2, browser_pb2_grpc, errors_pb2

METADATA = [("x-troupe-session", "python-example"), ("x-troupe-role", "customer")]


def plan(error):
    """Returns Troupe's details of a failed call."""
    status, detail = status_pb2.Status(), errors_pb2.ErrorDetail()
    status.ParseFromString(dict(error.trailing_metadata())["grpc-status-details-bin"])
    next(each for each in status.details if each.Unpack(detail))
    return detail


address, page = sys.argv[1:]
with grpc.insecure_channel(address) as channel:
    browser = browser_pb2_grpc.BrowserStub(channel)
    print(browser.Navigate(browser_pb2.NavigateRequest(url=page), metadata=METADATA, timeout=60).text)
    # A snapshot comes as a header and the text in chunks.
    parts = browser.Snapshot(browser_pb2.SnapshotRequest(full=True), metadata=METADATA, timeout=60)
    print("".join(part.chunk for part in parts))
    try:
        browser.Click(browser_pb2.ClickRequest(ref="e999"), metadata=METADATA, timeout=60)
    except grpc.RpcError as error:
        failed = plan(error)
        print(error.code().name, failed.type)
        for step in failed.steps:
            print("-", step.text)
