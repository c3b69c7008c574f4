// Tests that a client learns nothing of where the database is, and who asks it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clientReason } from "../../../daemon/store/database-errors.ts";

const error = (message: string, code?: string) => Object.assign(new Error(message), { code });

test("clients read words of Troupe's own for each reason", () => {
  const reasons = [
    error("getaddrinfo ENOTFOUND db7.internal.example", "ENOTFOUND"),
    error("connect ECONNREFUSED 10.1.2.3:5432", "ECONNREFUSED"),
    error('password authentication failed for user "troupe"', "28P01"),
    error('too many connections for role "troupe"', "53300"),
    error("cannot execute UPDATE in a read-only transaction", "25006"),
    error("Query read timeout"),
  ].map(clientReason);
  assert.deepEqual(reasons, [
    "the database does not answer",
    "the database does not answer",
    "the database refuses this daemon",
    "the database has too many connections",
    "the database is read-only",
    "the database does not answer",
  ]);
});
