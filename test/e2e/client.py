"""A client in another language, made from proto/ alone. It navigates, reads a snapshot's stream and an error's details.

usage: client.py GENERATED_DIR ADDRESS URL
"""
import json
import sys

import grpc

sys.path.insert(0, sys.argv[1])
from google.protobuf import any_pb2, json_format  # noqa: E402,F401
from troupe.v1 import browser_pb2, browser_pb2_grpc, errors_pb2  # noqa: E402

STATUS_DETAILS = "grpc-status-details-bin"


def details(error):
    """troupe.v1.ErrorDetail and the reason of google.rpc.ErrorInfo in a failed call's trailers."""
    from google.rpc import error_details_pb2, status_pb2

    status = status_pb2.Status()
    status.ParseFromString(dict(error.trailing_metadata())[STATUS_DETAILS])
    found, reason = errors_pb2.ErrorDetail(), error_details_pb2.ErrorInfo()
    for each in status.details:
        each.Unpack(found) or each.Unpack(reason)
    return found, reason.reason


def main(_generated, address, url):
    metadata = [("x-troupe-session", "python"), ("x-troupe-role", "visitor")]
    with grpc.insecure_channel(address) as channel:
        browser = browser_pb2_grpc.BrowserStub(channel)
        page = browser.Navigate(browser_pb2.NavigateRequest(url=url), metadata=metadata, timeout=60)
        header, text = None, ""
        for part in browser.Snapshot(browser_pb2.SnapshotRequest(full=True), metadata=metadata, timeout=60):
            if part.WhichOneof("part") == "header":
                header = part.header
            else:
                text += part.chunk
        try:
            browser.Click(browser_pb2.ClickRequest(ref="e99999"), metadata=metadata, timeout=60)
            raise SystemExit("the click on an unknown ref did not fail")
        except grpc.RpcError as error:
            detail, reason = details(error)
            code = error.code().name
    print(json.dumps({
        "status": page.status,
        "title": page.page.title,
        "elements": header.element_count,
        "length": header.text_length,
        "text": text,
        "code": code,
        "reason": reason,
        "type": detail.type,
        "steps": [step.text for step in detail.steps],
        "details": json_format.MessageToDict(detail.details),
    }))


if __name__ == "__main__":
    main(*sys.argv[1:])
