import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameTimeout } from "../../../worker/core/frame-time.ts";
import { DocumentGone } from "../../../worker/core/gone.ts";
import { FailureLog, type Recorded } from "../../../worker/failures/failure-log.ts";

const tabAt = (loaderId: string) => ({ id: "t1", session: "local/s", activity: { document: { loaderId } } });

function openLog() {
  const recorded: Recorded[] = [];
  return {
    log: new FailureLog(
      (entry) => recorded.push(entry),
      () => 1_500,
    ),
    recorded,
  };
}

test("every failure is recorded at once, in the protocol's form", () => {
  const { log, recorded } = openLog();
  log.frameNotInjected(tabAt("a"), {
    url: "http://x/",
    error: new Error("Frame was detached"),
    frameId: "f1",
  });
  log.frameNotExpanded(tabAt("a"), "e7", new Error("timeout"));
  log.framesNotDiscovered(new Error("no frames"));
  log.cleanup("context-close", new Error("still open"));
  log.incident("page-crashed", "It crashed.");
  assert.deepEqual(
    recorded.map(({ kind, reason }) => [kind, reason]),
    [
      ["frame_injection", "detached"],
      ["frame_expansion", "timeout"],
      ["frame_discovery", ""],
      ["cleanup", "context-close"],
      ["incident", "page-crashed"],
    ],
  );
  const wire = log.toWire();
  assert.deepEqual(wire.frameInjectionFailures[0]?.timestamp, { seconds: 1, nanos: 500_000_000 });
  assert.equal(wire.frameInjectionFailures[0]?.reason, "detached");
  assert.deepEqual(wire.frameDiscoveryError?.error, "no frames");
  assert.deepEqual(wire.incidents[0]?.kind, "page-crashed");
});

test("a frame's failure reason comes from Troupe's own errors or from Chrome's message", () => {
  for (const [error, reason] of [
    [new DocumentGone("whatever"), "detached"],
    [new FrameTimeout("whatever"), "timeout"],
    [new Error("Protocol error (Runtime.enable): Session with given id not found."), "detached"],
    [new Error("Protocol error (Runtime.enable): Internal error"), "unknown"],
    [new Error("Timed out"), "timeout"],
    [new Error("Cannot access a cross-origin frame"), "cross-origin"],
  ] as const) {
    const { log } = openLog();
    log.frameNotInjected(tabAt("a"), { url: "", error, frameId: "f1" });
    assert.equal(log.toWire().frameInjectionFailures[0]?.reason, reason, error.message);
  }
});

test("a login that is loaded after all ends the warning", () => {
  const { log } = openLog();
  log.authNotLoaded("auth/x.json", new Error("refused"));
  log.authLoaded();
  assert.equal(log.authError, undefined);
  assert.equal(log.warnings(tabAt("any")), undefined);
  assert.equal(log.toWire().authLoadError, null);
});

test("long addresses and messages are cut to a bound", () => {
  const { log } = openLog();
  const long = `data:text/html,${"x".repeat(2_000_000)}`;
  log.frameNotInjected(tabAt("a"), { url: long, error: new Error(long), frameId: "f1" });
  log.frameNotExpanded(tabAt("a"), "e1", new Error(long));
  log.framesNotDiscovered(new Error(long));
  log.cleanup("x", new Error(long));
  log.incident("page-crashed", `The page ${long} crashed.`);
  assert.ok(JSON.stringify(log.toWire()).length < 20_000);
});

test("warnings concern only the shown document and this tab", () => {
  const { log } = openLog();
  const tab = tabAt("a");
  const other = tabAt("a");
  assert.equal(log.warnings(tab), undefined);
  log.frameNotInjected(tab, { url: "http://x/", error: new Error("timeout"), frameId: "f1" });
  log.frameNotExpanded(tab, "e7", new Error("timeout"));
  assert.deepEqual(log.warnings(tab), {
    inaccessibleFrames: 1,
    authStatus: "",
    partialContent: true,
    details: ["Frame f1: timeout (http://x/)", "1 iframe(s) inaccessible (0 detached)"],
  });
  assert.equal(log.warnings(other), undefined);
  tab.activity.document = { loaderId: "b" };
  assert.equal(log.warnings(tab), undefined);
  assert.equal(log.toWire().frameInjectionFailures[0]?.current, false);
});

test("a frame that fails again is recorded once, and one that answers later ends the warning", () => {
  const { log, recorded } = openLog();
  const tab = tabAt("a");
  for (let time = 0; time < 3; time++) {
    log.frameNotExpanded(tab, "e7", new Error("timeout"));
    log.frameNotInjected(tab, { url: "", error: new Error("timeout"), frameId: "f1" });
  }
  assert.equal(recorded.length, 2);
  assert.equal(log.warnings(tab)?.partialContent, true);
  log.frameExpanded(tab, "e7");
  assert.equal(log.warnings(tab)?.partialContent, false);
  // The failure itself stays in the log.
  assert.equal(log.toWire().frameExpansionFailures[0]?.current, false);
});

test("the main frame's failure makes the page unusable, but a frame that went away is no warning", () => {
  const { log } = openLog();
  const tab = tabAt("a");
  log.frameNotInjected(tab, { url: "", error: new Error("Frame was detached"), frameId: "f1" });
  assert.equal(log.mainFrameFailure(tab), undefined);
  assert.equal(log.warnings(tab), undefined);
  log.frameNotInjected(tab, { url: "", error: new Error("no world"), frameId: "main", isMainFrame: true });
  assert.equal(log.mainFrameFailure(tab)?.error, "no world");
  tab.activity.document = { loaderId: "b" };
  assert.equal(log.mainFrameFailure(tab), undefined);
});

test("a missing login warns on every page, also after the log was cleared", () => {
  const { log } = openLog();
  log.authNotLoaded("auth/x.json", new Error("file not found"));
  log.incident("page-crashed", "It crashed.");
  log.clear();
  const warnings = log.warnings(tabAt("any"));
  assert.equal(warnings?.authStatus, "unauthenticated");
  assert.deepEqual(warnings?.details, ["Auth failed: file not found"]);
  assert.deepEqual(log.toWire().incidents, []);
  assert.equal(log.toWire().authLoadError?.authPath, "auth/x.json");
});

test("lists are bounded, and the oldest make room", () => {
  const { log } = openLog();
  for (let count = 0; count < 1_000; count++) {
    log.cleanup(`step ${count}`, new Error("x"));
    log.frameNotExpanded(tabAt(String(count)), "e1", new Error("x"));
  }
  const { cleanupErrors, frameExpansionFailures } = log.toWire();
  assert.equal(cleanupErrors.length, 200);
  assert.equal(cleanupErrors.at(-1)?.step, "step 999");
  assert.equal(frameExpansionFailures.length, 200);
});

test("a session whose page keeps failing pushes out no entries of other sessions or of the role", () => {
  const { log } = openLog();
  const quiet = tabAt("q");
  const loud = { ...tabAt("l"), session: "local/loud" };
  log.incident("browser-hung", "It hangs.");
  log.incident("page-crashed", "The quiet page crashed.", quiet);
  log.frameNotInjected(quiet, { url: "", error: new Error("quiet"), frameId: "f1" });
  log.frameNotExpanded(quiet, "e1", new Error("quiet"));
  log.requestBlocked(quiet, "http://quiet.test/");
  for (let count = 0; count < 1_000; count++) {
    loud.activity.document = { loaderId: String(count) };
    log.incident("page-unresponsive", `Loud ${count}.`, loud);
    log.frameNotInjected(loud, { url: "", error: new Error("loud"), frameId: "f1" });
    log.frameNotExpanded(loud, "e1", new Error("loud"));
    log.requestBlocked(loud, "http://loud.test/");
  }
  const wire = log.toWire();
  assert.deepEqual(
    wire.incidents.slice(0, 3).map(({ error }) => error),
    ["It hangs.", "The quiet page crashed.", "Loud 802."],
  );
  assert.equal(wire.incidents.length, 200);
  assert.equal(wire.frameInjectionFailures[0]?.error, "quiet");
  assert.equal(wire.frameExpansionFailures[0]?.error, "quiet");
  assert.match(log.warnings(quiet)?.details.join() ?? "", /1 request to http:\/\/quiet\.test/);
});
