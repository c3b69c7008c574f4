// Knows the page's own scripts in one process.
import type { Protocol } from "puppeteer-core";
import { keepNewest } from "../../proto/machine/newest.ts";

/** A script of the page. Lines and columns count from 0, within its file. */
export interface Script {
  id: string;
  url: string;
  frameId: string | undefined;
  /** Where it begins: a script in an HTML page does not begin at its first line. */
  startLine: number;
  startColumn: number;
  endLine: number;
  sourceMapUrl: string;
  hash: string;
}

const SCRIPTS_MAX = 5_000;

export class Scripts {
  readonly #scripts = new Map<string, Script>();

  get all(): Script[] {
    return [...this.#scripts.values()];
  }

  get(id: string): Script | undefined {
    return this.#scripts.get(id);
  }

  /** Returns the script if it is the page's own. Those in other worlds, and what the worker evaluates, are not. */
  add(event: Protocol.Debugger.ScriptParsedEvent): Script | undefined {
    const { isDefault, frameId } = (event.executionContextAuxData ?? {}) as {
      isDefault?: boolean;
      frameId?: string;
    };
    // A script without an address and without a script that made it was evaluated over CDP.
    if (!isDefault || (event.url === "" && !event.stackTrace)) return undefined;
    const script = {
      id: event.scriptId,
      url: event.url,
      frameId,
      startLine: event.startLine,
      startColumn: event.startColumn,
      endLine: event.endLine,
      sourceMapUrl: event.sourceMapURL ?? "",
      hash: event.hash,
    };
    keepNewest(this.#scripts, script.id, script, SCRIPTS_MAX);
    return script;
  }

  clear(): void {
    this.#scripts.clear();
  }
}
