// Agents at work in the sessions of MCP connections. Each has a token of its own, which shows whose page a reply is of.
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { type Agent, type Reply, refOf } from "../../harness/troupe.ts";
import { type TokenSite, tokensIn } from "./token-site.ts";

export interface CrewSettings {
  connection: Pick<Agent, "call">;
  role: string;
  /** A name that no other member has. */
  name: string;
  /** The member is a named session of a connection that others use too. */
  isNamed: boolean;
  site: TokenSite;
}

/** One agent at work. */
export class CrewMember {
  calls = 0;
  /** Replies that were not of this member's session, role and page. */
  readonly wrong: string[] = [];
  readonly errors: string[] = [];
  readonly #settings: CrewSettings;
  readonly #token: string;
  #round = 0;

  constructor(settings: CrewSettings) {
    this.#settings = settings;
    this.#token = `tok_${settings.name}_`;
  }

  /** Chooses the member's role for its session. */
  async begin(): Promise<void> {
    await this.call("select_role", { role: this.#settings.role });
  }

  /** Opens a page, types and keeps a value, and reads it back. */
  async round(): Promise<void> {
    const number = ++this.#round;
    const opened = await this.#onPage("browser_navigate", {
      url: this.#settings.site.work(this.#token, number),
    });
    const ref = (role: string, name: string) => refOf(opened.text, role, name);
    const value = `${this.#token}.${number}`;
    await this.#onPage("browser_type", { ref: ref("textbox", "Value"), text: value });
    await this.#onPage("browser_click", { ref: ref("button", "Keep") });
    const found = await this.#onPage("browser_find", { text: "kept cookie" });
    if (!found.text.includes(`kept cookie=${value} storage=${value}`)) this.wrong.push(found.text);
    const seen = await this.#onPage("browser_snapshot", { full: true });
    if (!seen.text.includes(`Work ${this.#token} round ${number}`)) this.wrong.push(seen.text);
  }

  async call(tool: string, args: JsonObject = {}): Promise<Reply> {
    const { connection, isNamed, name } = this.#settings;
    const reply = await connection.call(tool, isNamed ? { ...args, session: name } : args);
    this.calls++;
    if (reply.isError) this.errors.push(reply.text);
    return reply;
  }

  async #onPage(tool: string, args: JsonObject): Promise<Reply> {
    const reply = await this.call(tool, args);
    const { role, name, isNamed } = this.#settings;
    const { page, text } = reply;
    const isOwn =
      page?.role === role &&
      page.url.includes(this.#token) &&
      (!isNamed || page.session.endsWith(`~${name}`)) &&
      [...tokensIn(text)].every((token) => token === this.#token);
    if (!isOwn && !reply.isError) this.wrong.push(`${JSON.stringify(page)}\n${text}`);
    return reply;
  }
}

/** All members do so many rounds, side by side. Returns the time in milliseconds. */
export async function workTogether(crew: readonly CrewMember[], rounds: number): Promise<number> {
  const beganMs = performance.now();
  await Promise.all(
    crew.map(async (member) => {
      for (let round = 0; round < rounds; round++) await member.round();
    }),
  );
  return performance.now() - beganMs;
}
