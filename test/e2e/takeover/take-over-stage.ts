// A daemon, a site and an agent whose session a person takes over.
import assert from "node:assert/strict";
import { Person } from "../../harness/browser/person-at-work.ts";
import { testClient } from "../../harness/daemon.ts";
import { type Agent, startTroupe, type Troupe } from "../../harness/troupe.ts";
import { type Site, serveSite } from "../../site/serve.ts";

export const SESSION = "stuck";

export interface TakeOverStage extends AsyncDisposable {
  troupe: Troupe;
  site: Site;
  agent: Agent;
  /** Opens a page with this HTML as the agent. */
  open(html: string): Promise<string>;
  /** Returns a link to the agent's session, or to another one. */
  link(session?: string): Promise<string>;
  /** A person who has taken the session over. */
  person(): Promise<Person>;
  ask: ReturnType<typeof testClient>["ask"];
}

/** `settings`: further settings of the daemon. */
export async function takeOverStage(settings = {}): Promise<TakeOverStage> {
  await using open = new AsyncDisposableStack();
  const site = open.use(await serveSite());
  const troupe = open.use(await startTroupe({ settings }));
  const client = testClient(troupe.address);
  open.defer(() => client.close());
  const agent = open.use(await troupe.agent("--role", "visitor", "--session", SESSION));
  const link = async (session = SESSION) => {
    const { ok, error } = await client.ask("TakeOver", { session });
    assert.ok(ok, JSON.stringify(error));
    return ok.url;
  };
  const moved = open.move();
  return {
    troupe,
    site,
    agent,
    link,
    open: (html) => agent.text("browser_navigate", { url: site.page(html) }),
    person: async () => await Person.takeOver(await link()),
    ask: client.ask,
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

/** An element that stands where a test clicks: at 150, 120. */
export const HERE = "position: fixed; left: 100px; top: 100px; width: 200px; height: 40px";
export const AT = [150, 120] as const;
