// What a role may reach: its proxy before every connection, and, where it lists origins, a gate before every document.
import type { CDPSession } from "puppeteer-core";
import type { RoleConfig } from "../../proto/gen/troupe.ts";
import type { FailedConnections } from "./failed-connections.ts";
import { isListed } from "./origins.ts";
import { FilteringProxy } from "./proxy.ts";
import { type Resolve, systemResolver } from "./resolve.ts";
import { upstreamOf } from "./upstream.ts";

/** What tabs and tools ask of a role's policy. */
export interface Wall {
  /** Origins of documents; none: any http(s). */
  readonly allow: readonly string[];
  /** All that the role's lists hold, whatever for. */
  readonly listed: readonly string[];
  readonly daemonPorts: readonly number[];
  readonly connections: FailedConnections;
}

type PolicyConfig = Pick<RoleConfig, "allow" | "allowRequests" | "daemonPorts" | "browser">;

/** A role's policy in force, from before its browser starts. */
export class RolePolicy implements Wall {
  readonly allow: readonly string[];
  readonly listed: readonly string[];
  readonly daemonPorts: readonly number[];
  readonly #proxy: FilteringProxy;

  static async open(
    { allow, allowRequests, daemonPorts, browser }: PolicyConfig,
    resolve: Resolve = systemResolver(),
  ): Promise<RolePolicy> {
    const listed = [...allow, ...allowRequests];
    // Without a list of requests anything may be asked for: only documents are held to theirs.
    const origins = allowRequests.length > 0 ? listed : undefined;
    const upstream = upstreamOf(browser?.args ?? []);
    const proxy = await FilteringProxy.open({ rules: { origins, listed, daemonPorts }, resolve, upstream });
    return new RolePolicy({ allow, listed, daemonPorts }, proxy);
  }

  private constructor(
    { allow, listed, daemonPorts }: Pick<Wall, "allow" | "listed" | "daemonPorts">,
    proxy: FilteringProxy,
  ) {
    this.allow = allow;
    this.listed = listed;
    this.daemonPorts = daemonPorts;
    this.#proxy = proxy;
  }

  get connections(): FailedConnections {
    return this.#proxy.failures;
  }

  /** What the browser's connections have to go through. */
  get proxyAddress(): string {
    return this.#proxy.address;
  }

  /**
   * Refuses documents of other origins, in every page, frame and popup: what is asked for on the browser's own session
   * holds for all of them from their first request. It costs every request a millisecond, so only roles with a list have it.
   */
  async guardDocuments(
    browser: CDPSession,
    refused: (document: { frameId: string; url: string }) => void,
  ): Promise<void> {
    if (this.allow.length === 0) return;
    browser.on("Fetch.requestPaused", ({ requestId, request: { url }, frameId }) => {
      const passes = URL.canParse(url) && isListed(new URL(url), this.allow);
      if (!passes) refused({ frameId, url });
      const answered = passes
        ? browser.send("Fetch.continueRequest", { requestId })
        : // As if it had been given up: what was shown stays, and no page of Chrome's own takes its place.
          browser.send("Fetch.failRequest", { requestId, errorReason: "Aborted" });
      // A request that its page has given up meanwhile needs no answer.
      answered.catch(() => undefined);
    });
    await browser.send("Fetch.enable", { patterns: [{ urlPattern: "*", resourceType: "Document" }] });
  }

  close(): void {
    this.#proxy.close();
  }
}
