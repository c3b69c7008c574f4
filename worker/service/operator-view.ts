// Shows an operator what a tab shows. It takes no turn, resumes no page, and delivers nothing to the session.
import { fail } from "../../proto/errors/catalogue.ts";
import type { Input, LookAtRequest, LookAtResponse } from "../../proto/gen/troupe.ts";
import type { Call } from "../core/call.ts";
import type { Role } from "../role/role.ts";
import { masked } from "../snapshot/masked.ts";
import { haltLine } from "../snapshot/notes.ts";
import { type PictureForm, scaledPicture } from "../snapshot/scaled-picture.ts";
import { readTree } from "../snapshot/tree.ts";
import { Page } from "../tab/page.ts";

const LOOK_MS_MAX = 4_000;
/** A longer tree is cut. */
const TREE_LENGTH_MAX = 40_000;
const FORM: PictureForm = { format: "jpeg", quality: 60, pxMax: 960 };

/** A picture would show what the person types. */
const PERSON = "A person is at work in this session. Nothing of it is shown meanwhile.";

/** Resolves with nothing if the session or the tab is not open: a look wakes no session. */
export async function lookAt(
  role: Role,
  { key, tab: id, picture }: LookAtRequest,
): Promise<Input<LookAtResponse>> {
  const session = role.sessions.open.find((each) => each.key === key);
  const tab = session?.tabs.get(id || undefined);
  if (!session || !tab) return {};
  if (session.turns.hasPerson) return { open: true, text: PERSON };
  if (tab.halt) return { open: true, text: haltLine(tab.halt) };
  const controller = new AbortController();
  const late = fail("TIMEOUT", { waitedFor: "the page to answer", afterMs: LOOK_MS_MAX });
  const timer = setTimeout(() => controller.abort(late), LOOK_MS_MAX);
  try {
    const page = new Page(tab, callFor(role, key, tab.id, controller.signal));
    if (picture) {
      const { turns, recording } = session;
      const taken = await masked(page, { turns, masks: role.config.mask, recording }, (by) =>
        scaledPicture(by, FORM),
      );
      return { open: true, image: "image" in taken ? taken.image : Buffer.alloc(0) };
    }
    const { text } = await readTree(page, { room: TREE_LENGTH_MAX, watching: true });
    return { open: true, text };
  } finally {
    clearTimeout(timer);
    controller.abort(late);
  }
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
    deadline: performance.now() + LOOK_MS_MAX,
    waitsFor: "the page to answer",
  };
}
