// A name that stands where a ref belongs, in the forms in which models write one: Save, button:Save, role=button[name="Save"].

/** What is meant: an element of that name, of whatever role without one. */
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
/** These say that a name follows, and no role. */
const NO_ROLE: ReadonlySet<string> = new Set(["text", "name", "label", "ref", "title", "aria"]);

/** The likeliest first. */
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

function unquoted(text: string): string {
  return text.trim().replace(/^(["'`])(.*)\1$/s, "$2");
}
