import assert from "node:assert/strict";
import { test } from "node:test";
import { failuresFor } from "../../../daemon/calls/own-failures.ts";
import { NO_FAILURES, withIncident } from "../../../daemon/supervisor/failure-history.ts";

const incident = (session: string) => ({ kind: "page-crashed", error: session, timestamp: null, session });
const expansion = (session: string) => ({
  ref: "e1",
  error: session,
  detached: false,
  timestamp: null,
  current: true,
  session,
});
const log = {
  ...withIncident(NO_FAILURES, "worker-crashed", "of the role", 0),
  frameDiscoveryError: { error: "of somebody's page", timestamp: null },
  cleanupErrors: [{ step: "stop-loading", error: "of somebody's page", timestamp: null }],
  frameExpansionFailures: ["ci/a", "cid/b", ""].map(expansion),
};
log.incidents.push(...["ci/a", "cid/b"].map(incident));
log.incidents.push({ ...incident(""), kind: "storage-not-kept", error: "local https://of.somebody" });

test("a client without control rights sees failures of its own pages and of the whole role", () => {
  const told = failuresFor({ name: "ci", control: "none" }, log);
  assert.deepEqual(
    told.incidents.map(({ error }) => error),
    ["of the role", "ci/a"],
  );
  assert.deepEqual(
    told.frameExpansionFailures.map(({ error }) => error),
    ["ci/a"],
    "of a frame that nobody knows the owner of, nothing is told",
  );
  assert.deepEqual([told.cleanupErrors, told.frameDiscoveryError], [[], null]);
});

test("a client with the right to read sees all failures", () => {
  assert.equal(failuresFor({ name: "ci", control: "read" }, log), log);
});
