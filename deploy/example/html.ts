/** HTML that escapes all text put into it. */

/** Markup that is safe to send. */
export interface Html {
  readonly html: string;
}

/** The values of a template. Text is escaped, markup is not, and false or undefined prints nothing. */
type Part = Html | readonly Html[] | string | number | false | undefined;

/** A template tag. html`<p>${name}</p>` escapes `name`, in text and in quoted attributes. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const rendered = parts.map(render);
  return { html: strings.map((text, index) => text + (rendered[index] ?? "")).join("") };
}

function render(part: Part): string {
  if (part === undefined || part === false) return "";
  if (typeof part === "string" || typeof part === "number") return escape(String(part));
  return "html" in part ? part.html : part.map(({ html }) => html).join("");
}

const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}
