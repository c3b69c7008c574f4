// Reads a name that stands in place of a ref, in the forms that models write: Save, button:Save,
// role=button[name="Save"].

/** The intended element: one of that name, and of that role if there is one. */
export interface Label {
  role?: string;
  name: string;
}

const LENGTH_MAX = 200;
const FORMS: readonly RegExp[] = [
  // button "Save" · button:has-text("Save") · role=button[name="Save"]
  /^(?:role=)?(?<role>[a-z]+)\s*(?:\[name=|:has-text\(|:|=)?\s*["'`](?<name>.+)["'`]\s*[\])]?$/,
  /^getByRole\(["'`](?<role>[a-z]+)["'`],\s*\{\s*name:\s*["'`](?<name>[^"'`]+)["'`]/,
  /^(?<role>[a-z]+)\s*[:=]\s*(?<name>[^\s"'`].*)$/,
  /^(?<name>[A-Z].*) (?<role>button|link|checkbox|textbox|tab|radio|combobox)$/,
];
/** These words introduce a name, and are no role. */
const NO_ROLE: ReadonlySet<string> = new Set(["text", "name", "label", "ref", "title", "aria"]);

/** Returns the possible readings, the likeliest first. */
export function labelsIn(text: string): Label[] {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.length > LENGTH_MAX) return [];
  const readings = FORMS.flatMap((form): Label[] => {
    const { role, name } = form.exec(trimmed)?.groups ?? {};
    if (!role || !name) return [];
    return NO_ROLE.has(role) ? [{ name: unquoted(name) }] : [{ role, name: unquoted(name) }];
  });
  return [...readings, { name: unquoted(trimmed) }];
}

/** Returns the element that a text names by role and name. Undefined if it names none, or by its name alone. */
export function labelIn(text: string): Label | undefined {
  return labelsIn(text).find(({ role }) => role !== undefined);
}

function unquoted(text: string): string {
  return text.trim().replace(/^(["'`])(.*)\1$/s, "$2");
}
