// Plays README's session with the example's shop over `troupe mcp`, and shortens it by a stated rule.
import type { JsonObject } from "../../proto/wire/struct.ts";
import { type Agent, refOf, startTroupe } from "../harness/troupe.ts";

/** A call with the line of its reply that matters next. */
export interface Turn {
  call: string;
  shown: string;
}

export interface Session {
  /** The customer orders, and the admin finds the order. */
  turns: Turn[];
  /** A call that failed, and the whole text of its error. */
  failed: Turn;
}

/** The example serves its shop here; a test's shop has another port. */
const SHOP = "http://127.0.0.1:7422";

export async function playSession(): Promise<Session> {
  await using troupe = await startTroupe();
  const masked = (text: string) => text.replaceAll(troupe.shopUrl, SHOP).replace(/\d{4}-\d\d-\d\d/g, "DATE");
  const agent = await troupe.agent("--role", "customer");
  const turns: Turn[] = [];
  /** The rule: of each reply, only the first line with the words that matter next is shown. */
  const play = async (tool: string, args: JsonObject, matters: RegExp) => {
    const reply = await agent.text(tool, args);
    const line = reply.split("\n").find((each) => matters.test(each));
    if (line === undefined) throw new Error(`no line of ${tool} has ${matters}:\n${reply}`);
    turns.push({ call: masked(callText(tool, args)), shown: masked(line.trim().replace(/^[~+] /, "")) });
    return reply;
  };
  const product = await play("browser_navigate", { url: `${troupe.shopUrl}/product/42` }, /"Add to cart"/);
  const cart = await play("browser_click", { ref: refOf(product, "button", "Add to cart") }, /"Check out"/);
  const dialog = await play("browser_click", { ref: refOf(cart, "button", "Check out") }, /"Place order"/);
  const order = { ref: refOf(dialog, "button", "Place order") };
  await play("browser_click", order, /Your order \d+/);
  await play("browser_find", { text: "Linen Bowl", role: "admin" }, /^\s*- .*Linen Bowl/);
  return { turns, failed: await playFailure(agent) };
}

/** Clicks an element that its page has rendered anew. */
async function playFailure(agent: Agent): Promise<Turn> {
  const page = await agent.text("browser_navigate", { url: NOTES });
  const ref = refOf(page, "button", "Save");
  await agent.text("browser_click", { ref: refOf(page, "button", "Refresh") });
  const { text, isError } = await agent.call("browser_click", { ref });
  if (!isError) throw new Error(`the click did not fail:\n${text}`);
  return { call: callText("browser_click", { ref }), shown: text };
}

/** A page that renders a part of itself anew, as frameworks do. */
const NOTES = `data:text/html,${encodeURIComponent(`<!doctype html><title>Notes</title>
<button onclick="notes.innerHTML = notes.innerHTML">Refresh</button>
<div id="notes"><button>Save</button></div>`)}`;

function callText(tool: string, args: JsonObject): string {
  const given = Object.entries(args).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `${tool}(${given.join(", ")})`;
}
