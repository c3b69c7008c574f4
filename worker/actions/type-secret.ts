// Types a text with credentials. Its document is checked at that moment, and no other document gets it.
import { type ElementData, fail } from "../../proto/errors/catalogue.ts";
import { named } from "../../proto/text/named.ts";
import { DocumentGone } from "../core/gone.ts";
import type { Template } from "../secrets/placeholders.ts";
import type { World } from "../tab/frames/frame.ts";
import type { Located, Page } from "../tab/page.ts";
import { detached, orDetached } from "./element.ts";
import { aroundInput } from "./keyboard.ts";

/** Types one text into the field, which has the focus. */
export type TypeSecret = (slowly: boolean) => Promise<void>;

/**
 * Checks that the field's document may have the credentials, and reads their values. Throws PERMISSION_DENIED or
 * AUTHENTICATION_FAILED. The returned function types them into this very document.
 */
export async function readySecret(
  page: Page,
  at: Located,
  element: ElementData,
  template: Template,
): Promise<TypeSecret> {
  const { secrets } = page.tab.owner;
  const world = documentOf(page, at);
  const ask = <T>(answer: Promise<T>) => orDetached(page, at, answer);
  secrets.permit(template, await ask(page.askDocument(at.frame, world, "origin")));
  page.call.waitsFor = "the credential";
  const text = await page.during(secrets.fill(template));
  const typeInto = async (ref: string | undefined, part: string) => {
    const { state } = await ask(page.askDocument(at.frame, world, "typeSecret", ref, part));
    if (state === "unknown") throw fail("UNKNOWN_REF", { ref: at.ref, cause: "unseen" });
    if (state === "focus-moved") throw fail("ELEMENT_NOT_EDITABLE", element);
  };
  return async (slowly) => {
    // After the first character, the page may lead the focus on to the next box of a code.
    const parts = slowly ? [...text] : [text];
    for (const [index, part] of parts.entries())
      await aroundInput(page, () => typeInto(index === 0 ? at.ref || undefined : undefined, part));
  };
}

/** Throws INVALID_ARGUMENT for a control that takes no typed text. A credential is not chosen from a list. */
export function refuseSecret(element: ElementData): never {
  throw fail("INVALID_ARGUMENT", {
    argument: "text",
    problem: `a credential is typed into text fields only, and ${named(element)} is none`,
    hint: "with the ref of a text field, or with a text of your own",
    likelyCause: "The ref is not that of the field that was meant",
  });
}

/** Returns the document in which the field got the focus. */
function documentOf(page: Page, at: Located): World {
  const { world, number } = at.frame;
  if (world && page.worlds.get(number) === world.uniqueId) return world;
  throw detached(page, at, new DocumentGone("the document was replaced"));
}
