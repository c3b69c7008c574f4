// browser_fill_form: gives several controls their values, each as a call for it alone would.
import { type ElementData, isTroupeError } from "../../../proto/errors/catalogue.ts";
import type { FormField } from "../../../proto/gen/troupe.ts";
import { type Tool, toolOfRpc } from "../../../proto/tools/read-tools.ts";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { parseSequence, pressKeys } from "../../actions/keyboard.ts";
import { carryOut, type Done } from "../../actions/perform.ts";
import { react } from "../../actions/settle.ts";
import { targetOf } from "../../actions/step-refs.ts";
import type { Reaction } from "../../activity/reaction.ts";
import type { Page } from "../../tab/page.ts";
import type { ToolHandler } from "../tool.ts";
import { fillControl } from "./fill-control.ts";
import { runSteps } from "./run-steps.ts";
import { type ReadyStep, recordedAs } from "./step-kinds.ts";

const TOOL = toolOfRpc("FillForm") as Tool;

export const fillForm: ToolHandler<"FillForm"> = async ({ fields }, context) => {
  const form: Form = { last: undefined };
  return await runSteps(context, {
    steps: fields.map((field) => fillStep(field, form)),
    done: "Controls filled",
  });
};

/** `last`: the control that was filled last. */
interface Form {
  last: ElementData | undefined;
}

function fillStep(field: FormField, form: Form): ReadyStep {
  return {
    words: field.ref,
    targets: [targetOf(field.ref)],
    mayNavigate: false,
    check: () => undefined,
    run: (page, context, until, [ref = field.ref]) =>
      recordedAs(TOOL, asTyped({ ...field, ref }), page, context, async () => {
        const reaction = until.use(react(page));
        const fill = () => carryOut(page, reaction, (send) => fillControl({ ...field, ref }, { page, send }));
        // In other controls, Tab may be text.
        const mayCover = form.last?.tag === "input";
        const { said, fields } = mayCover ? await behindList(fill, page, reaction) : await fill();
        form.last = fields.element ?? undefined;
        const kept = await fields.disagrees(page);
        return { ...fields, said: kept ? `${said}, but it is ${kept}` : said };
      }),
  };
}

/** The record has each field as the call of another tool. One value is what that tool would type. */
function asTyped({ ref, value }: FormField): JsonObject {
  const [text = "", ...others] = value;
  return others.length > 0 ? { ref, values: value } : { ref, text };
}

/** Fills a control that the list or the calendar of the field before may cover. Tab closes it, as for a person. */
async function behindList<T extends object>(
  fill: () => Promise<Done<T>>,
  page: Page,
  reaction: Reaction,
): Promise<Done<T>> {
  try {
    return await fill();
  } catch (error) {
    if (!isTroupeError(error) || error.type !== "ELEMENT_COVERED") throw error;
    await carryOut(page, reaction, async (send) => {
      for (const keys of parseSequence("Tab")) await send(() => pressKeys(page, keys));
      return { said: "", fields: {} };
    });
    const { said, fields } = await fill();
    return { said: `Left the field before by Tab, because it covered this one. ${said}`, fields };
  }
}
