// Tests approvals from the agent's call to the person's command, in the shop.
import assert from "node:assert/strict";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { main } from "../../../client/cli/program.ts";
import { refOf, startTroupe, type Troupe } from "../../harness/troupe.ts";

const WAITS = '"msg":"waits for approval"';

/** Runs the command as a person does. */
async function approve(troupe: Troupe, ...words: string[]) {
  let said = "";
  const print = (text: string) => {
    said += text;
  };
  const world = { cwd: "/", env: { TROUPE_ADDRESS: troupe.address }, print, complain: print };
  return { code: await main(["approve", ...words], world), said };
}

async function waitingId(troupe: Troupe): Promise<string> {
  const { code, said } = await approve(troupe, "--json");
  assert.equal(code, 0, said);
  const { approvals } = JSON.parse(said);
  assert.equal(approvals.length, 1, said);
  return approvals[0].id;
}

test("a purchase waits for a person, who lets one go on and refuses another", async () => {
  await using troupe = await startTroupe({
    roles: (shop) => ({
      buyer: { auth: "auth/customer.json", startUrl: `${shop}/`, approve: [`submit:${shop}/api/cart`] },
    }),
  });
  assert.deepEqual(await approve(troupe), { code: 0, said: "Nothing waits for a person.\n" });
  const agent = await troupe.agent("--role", "buyer", "--session", "shopping");
  const page = await agent.text("browser_snapshot");
  const fork = refOf(page, "button", "Add Oak Tuning Fork to cart");

  const buying = agent.call("browser_click", { ref: fork });
  await troupe.output.have(WAITS);
  assert.match((await approve(troupe)).said, /local\/shopping +POST http:\S+\/api\/cart/);
  const first = await waitingId(troupe);
  const { code, said } = await approve(troupe, first);
  assert.match(said, /^Approved: POST http:\S+\/api\/cart\n$/);
  assert.equal(code, 0);
  const bought = await buying;
  assert.match(bought.text, /Cart \(1\)/);
  assert.match(bought.text, /Approved by local: POST/);

  const late = await approve(troupe, first, "--deny");
  assert.match(late.said, /waits no more: local has approved it/);
  assert.equal(late.code, 64);

  const again = agent.call("browser_click", { ref: fork });
  await troupe.output.have(WAITS, 2);
  assert.equal((await approve(troupe, await waitingId(troupe), "--deny")).code, 0);
  const { error } = await again;
  assert.equal(error?.type, "APPROVAL_DENIED");
  assert.match(await agent.text("browser_snapshot", { full: true }), /Cart \(1\)/);
  assert.deepEqual(audited(troupe), [
    { session: "shopping", outcome: "approved", decided_by: "local" },
    { session: "shopping", outcome: "denied", decided_by: "local" },
  ]);
});

/** Returns what the journal keeps of decisions. */
function audited({ stateDir }: Troupe): object[] {
  using journal = new DatabaseSync(path.join(stateDir, "journal.db"), { readOnly: true });
  const rows = journal.prepare("SELECT session, outcome, decided_by FROM approvals ORDER BY id").all();
  return rows.map((row) => ({ ...row }));
}
