// Carries a run out over MCP, exports it, and runs the exported test on a fresh site.
import assert from "node:assert/strict";
import type { Troupe } from "../harness/troupe.ts";
import { runExported } from "./run-exported.ts";
import { loginFor, type Place, type Scenario } from "./scenarios.ts";

export interface Exported {
  code: string;
  /** The things that the application did in the run. */
  did: readonly string[] | undefined;
}

export async function exported(scenario: Scenario, troupe: Troupe): Promise<Exported> {
  await using place = await scenario.open();
  await using agent = await troupe.agent("--role", scenario.role, "--profile", "full");
  const did = await scenario.drive(troupe, agent, place);
  return { code: await agent.text("browser_export_test", { as: "playwright" }), did };
}

/** Changes what a place shows, such as by a proxy before it. */
export type Change = (place: Place) => Promise<Place>;

/** Resolves to nothing if the test is green and the application did the same again. */
export async function runOn(
  { login, role, env, open }: Scenario,
  { code, did }: Exported,
  change: Change = async (place) => place,
): Promise<string | undefined> {
  await using place = await open();
  await using changed = await change(place);
  const variable = `${role.toUpperCase()}_STORAGE_STATE`;
  const said = await runExported({
    code,
    baseUrl: changed.url,
    env,
    login: login && { variable, content: loginFor(login, changed.url) },
  });
  if (said !== undefined || did === undefined) return said;
  const record = place.record?.filter((each) => each !== "the end");
  try {
    assert.deepEqual(record, did);
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}
