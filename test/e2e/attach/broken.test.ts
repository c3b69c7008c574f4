// Tests roles whose attached browser breaks the protocol, or leaves at the wrong moment.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Role } from "../../../proto/gen/troupe.ts";
import { type Question, type SpokenBrowser, serveBrowser } from "../../harness/browser/spoken-browser.ts";
import { testClient } from "../../harness/daemon.ts";
import { reaches, roleWhen } from "../../harness/role-states.ts";
import { startTroupe } from "../../harness/troupe.ts";

/** A browser without calls is asked for a sign of life each 10 s. */
const UNUSED_MS_MAX = 30_000;

/** The questions to which each browser answers with an error. */
const refused = new Set<string>();
const refuses = ({ method }: Question) =>
  refused.has(method) ? { error: { code: -32_601, message: "not here" } } : undefined;
const leaves: SpokenBrowser = await serveBrowser(({ method }) => {
  if (method === "Target.setDiscoverTargets") leaves.leave();
});
const refusing = await serveBrowser(({ method }) =>
  method === "Target.setAutoAttach" ? { error: { code: -32_601, message: "not here" } } : undefined,
);
const garbling = await serveBrowser();
const ill = await serveBrowser(refuses);
const troupe = await startTroupe({
  roles: {
    leaves: { browser: { connect: leaves.address } },
    refusing: { browser: { connect: refusing.address } },
    garbling: { browser: { connect: garbling.address }, eager: true },
    ill: { browser: { connect: ill.address }, eager: true },
  },
});
const client = testClient(troupe.address);
after(async () => {
  client.close();
  await troupe[Symbol.asyncDispose]();
  for (const browser of [leaves, refusing, garbling, ill]) await browser[Symbol.asyncDispose]();
});

for (const [what, name, browser] of [
  ["leaves while its role starts", "leaves", leaves],
  ["refuses what its role needs", "refusing", refusing],
] as const)
  test(`a browser that ${what} is not connected, and is asked once for each call`, async () => {
    await using agent = await troupe.agent("--role", name);
    for (let call = 1; call <= 2; call++) {
      const { error, text } = await agent.call("browser_snapshot");
      assert.equal(error?.type, "CHROME_NOT_CONNECTED", text);
      assert.equal(browser.connections, call);
    }
    await reaches(client, name, "ROLE_STATE_STOPPED");
  });

for (const [what, name, why, doIt] of [
  [
    "sends a broken message",
    "garbling",
    /broke the DevTools protocol/,
    () => garbling.say({ method: "Target.attachedToTarget" }),
  ],
  ["answers with an error", "ill", /answers with an error/, () => refused.add("Browser.getVersion")],
] as const)
  test(`a ready browser that ${what} is not connected any more, and nothing has crashed`, async () => {
    await reaches(client, name, "ROLE_STATE_READY");
    const isLeft = ({ state }: Role) => state !== "ROLE_STATE_READY";
    const left = roleWhen(client, name, isLeft, `${name} is left`, UNUSED_MS_MAX);
    doIt();
    const { state, reason } = await left;
    assert.equal(state, "ROLE_STATE_STOPPED", reason);
    assert.match(reason, /its browser is not connected/);
    assert.match(reason, why);
  });
