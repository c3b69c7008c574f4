// Tests what an action waits for, by Chrome's events.
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import type { CDPSession } from "puppeteer-core";
import { Activity } from "../../../worker/activity/activity.ts";
import { Streams } from "../../../worker/activity/streams.ts";

const EVENTS = "http://site/events";

function watched(): { activity: Activity; chrome: EventEmitter } {
  const activity = new Activity();
  const chrome = new EventEmitter();
  activity.watch(chrome as unknown as CDPSession, "main");
  return { activity, chrome };
}

function asked(chrome: EventEmitter, requestId: string, type: string, url: string): void {
  const request = { method: "GET", url };
  chrome.emit("Network.requestWillBeSent", { requestId, loaderId: "document", type, request });
}

test("a server-sent event counts once, however Chrome reports it", () => {
  const { activity, chrome } = watched();
  asked(chrome, "1", "EventSource", EVENTS);
  chrome.emit("Network.responseReceived", {
    requestId: "1",
    loaderId: "document",
    type: "EventSource",
    response: { mimeType: "text/event-stream" },
  });
  using reaction = activity.react();
  for (const count of [1, 2]) {
    chrome.emit("Network.dataReceived", { requestId: "1", dataLength: 14 });
    chrome.emit("Network.eventSourceMessageReceived", { requestId: "1" });
    assert.equal(reaction.causes, count);
  }
});

test("each part of a stream that a script reads itself counts", () => {
  const { activity, chrome } = watched();
  asked(chrome, "1", "Fetch", EVENTS);
  chrome.emit("Network.responseReceived", {
    requestId: "1",
    loaderId: "document",
    type: "Fetch",
    response: { mimeType: "text/event-stream" },
  });
  using reaction = activity.react();
  chrome.emit("Network.dataReceived", { requestId: "1", dataLength: 14 });
  assert.equal(reaction.causes, 1);
});

test("a request whose wait a dialog ended is named, and its address is waited for again", () => {
  const { activity, chrome } = watched();
  {
    using reaction = activity.react();
    asked(chrome, "1", "XHR", "http://site/orders");
    activity.settled(reaction, "interrupted");
  }
  assert.equal(activity.lingering("http://site/")[0]?.name, "GET /orders");
  using reaction = activity.react();
  asked(chrome, "2", "XHR", "http://site/orders");
  assert.equal(activity.awaitedUntilMs(reaction), Number.POSITIVE_INFINITY);
});

test("an address that outlasted an action's time is not waited for again", () => {
  const { activity, chrome } = watched();
  {
    using reaction = activity.react();
    asked(chrome, "1", "XHR", "http://site/orders");
    activity.settled(reaction, "out-of-time");
  }
  using reaction = activity.react();
  asked(chrome, "2", "XHR", "http://site/orders");
  assert.equal(activity.awaitedUntilMs(reaction), undefined);
});

test("the oldest of many requests that never end are forgotten", () => {
  const { activity, chrome } = watched();
  using reaction = activity.react();
  asked(chrome, "0", "XHR", "http://site/orders");
  activity.settled(reaction, "interrupted");
  for (let n = 1; n <= 999; n++) asked(chrome, `${n}`, "XHR", "http://site/other");
  assert.equal(activity.lingering("http://site/")[0]?.name, "GET /orders");
  asked(chrome, "1000", "XHR", "http://site/other");
  assert.deepEqual(activity.lingering("http://site/"), []);
});

test("the answer to a dialog waits for the interrupted action's requests, and no later action does", () => {
  const { activity, chrome } = watched();
  {
    using reaction = activity.react();
    asked(chrome, "1", "XHR", "http://site/orders");
    activity.settled(reaction, "interrupted");
  }
  {
    using answering = activity.react({ resumes: true });
    assert.equal(activity.awaitedUntilMs(answering), Number.POSITIVE_INFINITY);
    activity.settled(answering, "out-of-time");
  }
  using reaction = activity.react({ resumes: true });
  assert.equal(activity.awaitedUntilMs(reaction), undefined);
});

const POLL = "http://site/events?cursor=";

/** Answers the poll, and the page asks again at once. */
function pollAnswered(chrome: EventEmitter, n: number): void {
  chrome.emit("Network.loadingFinished", { requestId: `poll ${n}` });
  asked(chrome, `poll ${n + 1}`, "XHR", `${POLL}${n + 1}`);
}

test("an address that is asked again once it has answered is not awaited, but its answer counts", () => {
  const { activity, chrome } = watched();
  asked(chrome, "poll 1", "XHR", `${POLL}1`);
  pollAnswered(chrome, 1);
  using reaction = activity.react();
  for (const n of [2, 3]) {
    pollAnswered(chrome, n);
    assert.deepEqual([reaction.cause, reaction.causes], ["message", n - 1]);
    assert.equal(activity.awaitedUntilMs(reaction), undefined);
  }
});

test("a poll that chatters delays no action", () => {
  const { activity, chrome } = watched();
  asked(chrome, "poll 1", "XHR", `${POLL}1`);
  for (const n of [1, 2, 3, 4]) pollAnswered(chrome, n);
  using reaction = activity.react();
  for (const n of [5, 6, 7]) pollAnswered(chrome, n);
  assert.equal(reaction.causes, 0);
  assert.equal(activity.awaitedUntilMs(reaction), undefined);
});

test("neither a poll nor a stream of a dead process is an open connection", () => {
  const { activity, chrome } = watched();
  asked(chrome, "poll 1", "XHR", `${POLL}1`);
  for (const n of [1, 2, 3]) pollAnswered(chrome, n);
  assert.equal(activity.streams.areOpen, false);
  const worker = new EventEmitter();
  activity.watchWorker(worker as unknown as CDPSession);
  worker.emit("Network.webSocketCreated", { requestId: "socket" });
  assert.equal(activity.streams.areOpen, true);
  activity.unwatch(worker as unknown as CDPSession);
  assert.equal(activity.streams.areOpen, false);
});

test("the maximum number of polls still leaves room for a connection", () => {
  const streams = new Streams();
  for (let n = 0; n < 200; n++) streams.opened(`poll ${n}`, {}, { isPoll: true });
  streams.opened("socket", {});
  assert.equal(streams.areOpen, true);
});
