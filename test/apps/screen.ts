// An agent's screen: the replies of its calls, all of them counted, and all that a reader knows by them.
import { once } from "node:events";
import type { JsonObject } from "../../proto/wire/struct.ts";
import type { Agent, Reply } from "../harness/troupe.ts";
import { changesIn, sectionsOf, type Wanted } from "./outline.ts";
import { Reader } from "./reader.ts";
import type { Site } from "./site.ts";

export interface Manner {
  /** Takes snapshots a second after each reply, not directly after it. */
  late: boolean;
  /** Lines that change by themselves. */
  restless: RegExp | undefined;
}

const LATE_MS = 1_000;

export class Screen {
  readonly reader = new Reader();
  /** The calls so far, and the characters of their replies. Snapshots that only check are not counted. */
  calls = 0;
  characters = 0;
  /** The records that the application should have. */
  readonly did: string[] = [];
  readonly #agent: Agent;
  readonly #site: Site;
  readonly #manner: Manner;

  constructor(agent: Agent, site: Site, manner: Manner) {
    this.#agent = agent;
    this.#site = site;
    this.#manner = manner;
  }

  addressOf(path: string): string {
    return this.#site.url + path;
  }

  /** `unclear`: the place where the reply's meaning can only be guessed. */
  async act(
    tool: string,
    args: JsonObject,
  ): Promise<{ reply: Reply; tookMs: number; unclear: string | undefined }> {
    const before = performance.now();
    const reply = await this.#agent.call(tool, args);
    const tookMs = performance.now() - before;
    this.calls++;
    this.characters += reply.text.length;
    return { reply, tookMs, unclear: this.reader.read(reply.text) };
  }

  async read(tool: string, args: JsonObject): Promise<void> {
    const text = await this.#agent.text(tool, args);
    this.calls++;
    this.characters += text.length;
    this.reader.read(text);
  }

  async readAll(): Promise<void> {
    await this.read("browser_snapshot", { full: true, maxTokens: 0 });
    // The next snapshot is asked for in another way, and so is a whole one. That one only checks.
    await this.#agent.text("browser_snapshot");
  }

  /** Takes a new snapshot if the texts named no ref of the element. */
  async lookFor(wanted: Wanted): Promise<string | undefined> {
    await this.readAll();
    return this.reader.find(wanted);
  }

  /** Returns what a snapshot adds to the replies. Empty if only restless lines changed. */
  async lookAgain(): Promise<string> {
    if (this.#manner.late) await once(AbortSignal.timeout(LATE_MS), "abort");
    const { text } = await this.#agent.call("browser_snapshot");
    if (text.startsWith("unchanged since snapshot")) return "";
    if (this.reader.read(text) !== undefined) await this.readAll();
    const { restless } = this.#manner;
    const added = changesIn(sectionsOf(text));
    return restless !== undefined && added.every((each) => restless.test(each)) ? "" : text;
  }

  /** Waits until the application has recorded it. */
  async recorded(did: readonly string[]): Promise<void> {
    this.did.push(...did);
    for (const each of did)
      await this.#site.recorded(each, this.did.filter((other) => other === each).length);
  }
}
