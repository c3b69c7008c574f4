// Names an element in words.
import { quote } from "./quote.ts";

/** The name of an element in words: `button "Submit"`. */
export function named(element: { role: string; name: string; tag?: string }): string {
  const role = element.role || (element.tag ? `<${element.tag}>` : "element");
  return element.name ? `${role} ${quote(element.name)}` : role;
}
