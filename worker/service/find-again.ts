// Finds an old ref's element in a reopened tab. The daemon names it in the error that reports the worker's restart.
import { fail } from "../../proto/errors/catalogue.ts";
import type { FindAgainRequest, FindAgainResponse, Input } from "../../proto/gen/troupe.ts";
import { within } from "../../proto/machine/within.ts";
import { finish } from "../actions/navigation.ts";
import type { Call } from "../core/call.ts";
import { parseRef } from "../refs/ref-text.ts";
import type { Role } from "../role/role.ts";
import type { Session } from "../session/session.ts";
import { Page } from "../tab/page.ts";

/** A page that comes back slower than this does not delay the error. */
const FIND_MS_MAX = 10_000;

/**
 * Returns what is known of the element, or nothing if the ref is malformed. Rejects with the reason why the page cannot
 * be read.
 */
export async function findAgain(
  role: Role,
  { key, tab, ref }: FindAgainRequest,
): Promise<Input<FindAgainResponse>> {
  const parsed = parseRef(ref);
  // A lookup must not open a session again that has ended meanwhile.
  if (!parsed || !role.sessions.has(key)) return {};
  const controller = new AbortController();
  const late = fail("TIMEOUT", { waitedFor: "the page to come back", afterMs: FIND_MS_MAX });
  const timer = setTimeout(() => controller.abort(late), FIND_MS_MAX);
  const call = callFor(role, key, tab, controller.signal);
  try {
    const session = await within(call, role.sessions.of(key));
    await within(call, session.rest.use(call.signal));
    return await session.turns.take(call.signal, async () => {
      const page = await pageOf(session, call);
      const { role: ariaRole, name, candidates } = await page.again(parsed);
      return ariaRole === undefined ? {} : { element: { role: ariaRole, name }, candidates };
    });
  } finally {
    clearTimeout(timer);
    controller.abort(late);
  }
}

async function pageOf(session: Session, call: Call): Promise<Page> {
  const tab = await within(call, call.tab ? session.tabNamed(call.tab) : session.currentTab());
  const page = new Page(tab, call);
  if (tab.navigation.held) {
    using reaction = tab.activity.react();
    await finish(page, reaction);
  }
  return page;
}

function callFor(role: Role, sessionKey: string, tab: string, signal: AbortSignal): Call {
  return {
    tool: "",
    arguments: {},
    profile: "core",
    role: role.config.name,
    session: "",
    tab,
    sessionKey,
    requestId: "",
    signal,
    deadline: performance.now() + FIND_MS_MAX,
    waitsFor: "the page to come back",
  };
}
