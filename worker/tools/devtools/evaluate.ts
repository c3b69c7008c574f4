// browser_evaluate: runs the client's script in the page's own world, where the role's configuration allows it.
import { fail } from "../../../proto/errors/catalogue.ts";
import type { EvaluateRequest } from "../../../proto/gen/troupe.ts";
import type { Done } from "../../actions/perform.ts";
import { checkRef } from "../../actions/step-refs.ts";
import { readScript, runScript, type ScriptValue } from "../../page-scripts/run-script.ts";
import { pageJson } from "../../snapshot/page-json.ts";
import { tokensFor } from "../../snapshot/profile-words.ts";
import type { Page } from "../../tab/page.ts";
import { type Acting, type Action, acting } from "../acting/acting.ts";
import type { ToolContext } from "../tool.ts";

const CHARACTERS_PER_TOKEN = 4;
/** A result takes at most half of a reply. */
const SHARE = 0.5;
const RESULT_LENGTH_MAX = 40_000;

const evaluating: Action<"Evaluate"> = {
  check: (_request, context) => checkAllowed(context),
  act: (request, on) => run(request, on),
};

export const evaluate = acting(evaluating);

/** Throws PERMISSION_DENIED if the role's configuration does not allow scripts. */
function checkAllowed({ role, call }: ToolContext): void {
  const { name, evaluate: isAllowed } = role.config;
  if (isAllowed) return;
  throw fail("PERMISSION_DENIED", {
    what: `${call.tool} in role ${name}`,
    reason: `Scripts are off there: the configuration has to say roles.${name}.evaluate: true.`,
  });
}

async function run(
  { function: text, ref }: EvaluateRequest,
  { page, send }: Acting,
): Promise<Done<{ result: string }>> {
  const at = ref === undefined ? undefined : (await checkRef(page, ref)).at;
  const frame = at?.frame ?? page.main();
  const script = await readScript(page, frame, text);
  page.call.waitsFor = "the script to end";
  let ended: ScriptValue | undefined;
  const documentBefore = page.main().loaderId;
  await send(async () => {
    ended = await runScript(page, frame, script, { ref: at?.ref });
  });
  if (ended) return resulted(page, ended);
  const why = page.tab.dialog
    ? "it has not ended, as a dialog is open"
    : page.main().loaderId === documentBefore
      ? "its document went away before it ended"
      : "the page went to another document before it ended";
  return { said: `Ran the script: ${why}`, fields: { result: "" } };
}

function resulted(page: Page, { value, isCut }: ScriptValue): Done<{ result: string }> {
  const tokens = tokensFor(page.call);
  const room = tokens === 0 ? RESULT_LENGTH_MAX : Math.round(tokens * CHARACTERS_PER_TOKEN * SHARE);
  const { json, isWhole } = pageJson(value, Math.min(room, RESULT_LENGTH_MAX));
  const note = isCut || !isWhole ? " (cut: return less of it to see the rest)" : "";
  return {
    said: `Ran the script. Its result, in the page's words${note}: ${json}`,
    fields: { result: json },
  };
}
