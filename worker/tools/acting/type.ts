// browser_type: replaces a field's text by trusted input. In a select or combobox, it chooses the option of that label.

import { type ElementData, fail } from "../../../proto/errors/catalogue.ts";
import type { TypeRequest } from "../../../proto/gen/troupe.ts";
import { named } from "../../../proto/text/named.ts";
import { quote } from "../../../proto/text/quote.ts";
import { beforeOpening, type Chooser, chooseFromList, chooseTyped } from "../../actions/choose-option.ts";
import { editElement, orDetached } from "../../actions/element.ts";
import { insertParagraphs, insertText, parseKeys, pressKeys, typeSlowly } from "../../actions/keyboard.ts";
import type { SendInput } from "../../actions/perform.ts";
import { readySecret, refuseSecret } from "../../actions/type-secret.ts";
import type { Edit } from "../../bridge/api/bridge-api.ts";
import type { Template } from "../../secrets/placeholders.ts";
import { actionabilityError, data } from "../../snapshot/actionability-error.ts";
import type { Located, Page } from "../../tab/page.ts";
import { type Action, acting } from "./acting.ts";
import { choose, selected } from "./select-option.ts";

export const typing: Action<"Type"> = {
  async act(request, { page, send }) {
    const { at, edit } = await editElement(page, request.ref);
    const field = { page, at, element: data(edit.element, at), send };
    const { did, chosen } = await filled(field, edit, request);
    const said = did + (await submitted(page, send, request.submit));
    return { said, fields: { element: field.element, chosen } };
  },
};

export const type = acting(typing);

type Ready = Extract<Edit, { state: "ready" }>;

/** Chooses or types, and says what was done. */
async function filled(
  field: Chooser,
  edit: Ready,
  request: TypeRequest,
): Promise<{ did: string; chosen: string[] }> {
  const { page, at, element, send } = field;
  const { text = "", submit } = request;
  const template = page.tab.owner.secrets.template(text);
  if (template) return { did: await filledWithSecret(field, edit, request, template), chosen: [] };
  if (edit.kind === "options" || edit.kind === "select") {
    const isSelect = edit.kind === "select";
    const chosen = await (isSelect ? choose(page, at, [text], element) : chooseFromList(field, [text]));
    return { did: selected(chosen, element), chosen };
  }
  // If Enter follows, the page itself decides between the text and an option.
  const mayChoose = edit.list === "options" && text !== "" && !submit;
  if (mayChoose) await beforeOpening(field, text);
  page.tab.touched.touched(at.frame, at.ref);
  await send(() => write(page, at, edit, request, element));
  // Until the page takes the text, it is lost with the page.
  if (text !== "") page.tab.touched.typed(at.frame, at.ref, named(element));
  const chosen = mayChoose ? await chooseTyped(field, text) : undefined;
  const typed = `Typed into ${element.ref} ${named(element)}`;
  return chosen === undefined
    ? { did: typed, chosen: [] }
    : { did: `${typed} and chose ${quote(chosen)}`, chosen: [chosen] };
}

/** Types credentials. They are never chosen from a list, and the reply repeats nothing of them. */
async function filledWithSecret(
  { page, at, element, send }: Chooser,
  edit: Ready,
  { slowly = false }: TypeRequest,
  template: Template,
): Promise<string> {
  if (edit.kind !== "text" && edit.kind !== "rich") refuseSecret(element);
  const typeSecret = await readySecret(page, at, element, template);
  page.tab.touched.touched(at.frame, at.ref);
  if (edit.feeds) await pressKeys(page, parseKeys(ALL));
  await send(() => typeSecret(slowly), { heard: true });
  page.tab.touched.typed(at.frame, at.ref, named(element));
  return `Typed into ${element.ref} ${named(element)}`;
}

/** Presses Enter if the call asked for it. It is not pressed if typing opened a dialog or closed the tab. */
async function submitted(page: Page, send: SendInput, submit = false): Promise<string> {
  if (!submit) return "";
  if (page.tab.halt || !page.tab.isOpen) return "; Enter was not pressed";
  await send(() => pressKeys(page, parseKeys("Enter")));
  return " and pressed Enter";
}

/** Writes the text. The field already has the focus, with its whole content selected. */
async function write(
  page: Page,
  at: Located,
  { kind, empty, feeds, paragraphs }: Ready,
  { text = "", slowly }: TypeRequest,
  element: ElementData,
): Promise<void> {
  if (element.role === "spinbutton" && element.tag === "input" && !isNumber(text)) {
    throw fail("INVALID_ARGUMENT", {
      argument: "text",
      problem: `${named(element)} takes a number`,
      hint: "with text as a number",
    });
  }
  if (feeds) await pressKeys(page, parseKeys(ALL));
  if (kind === "value") await setValue(page, at, text, element);
  else if (text === "") await (empty && !feeds ? undefined : pressKeys(page, parseKeys("Backspace")));
  else if (slowly) await typeSlowly(page, text);
  else await (paragraphs ? insertParagraphs(page, text) : insertText(page, text));
}
/** The key combination that selects all, in any editor. */
const ALL = process.platform === "darwin" ? "Meta+A" : "Control+A";

/** Checks for HTML's valid floating-point number: a number field drops any other text and is then empty. */
function isNumber(text: string): boolean {
  return /^\s*(?:[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)?\s*$/i.test(text);
}

/** Sets the value directly: date, time, colour and range fields take no typed text. */
async function setValue(page: Page, at: Located, text: string, element: ElementData): Promise<void> {
  const answer = await orDetached(
    page,
    at,
    page.ask(at.frame, "setValue", at.ref || undefined, text, at.deliveredIn),
  );
  if (answer.state === "unknown") throw fail("UNKNOWN_REF", { ref: at.ref, cause: "unseen" });
  if (answer.state === "changed") throw actionabilityError(page, at, answer);
  if (answer.state === "malformed") {
    throw fail("INVALID_ARGUMENT", {
      argument: "text",
      problem: `${named(element)} takes ${answer.expected}`,
      hint: `with text as ${answer.expected}`,
    });
  }
}
