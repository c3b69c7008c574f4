// Orders a product in the example's shop, through any door.
import assert from "node:assert/strict";
import type { JsonObject } from "../../proto/wire/struct.ts";
import { refOf } from "./troupe.ts";

/** Resolves with the number of the order that the customer has placed. */
export async function orderLinenBowl(
  call: (tool: string, args: JsonObject) => Promise<string>,
  shopUrl: string,
): Promise<string> {
  const customer = (tool: string, args: JsonObject) => call(tool, { ...args, role: "customer" });
  const page = await customer("browser_navigate", { url: `${shopUrl}/product/42` });
  await customer("browser_click", { ref: refOf(page, "button", "Add to cart") });
  const cart = await customer("browser_navigate", { url: `${shopUrl}/cart` });
  assert.match(cart, /Linen Bowl/);
  const dialog = await customer("browser_click", { ref: refOf(cart, "button", "Check out") });
  const ordered = await customer("browser_click", { ref: refOf(dialog, "button", "Place order") });
  const number = /\b(10\d\d)\b/.exec(ordered)?.[1];
  assert.ok(number, ordered);
  return number;
}
