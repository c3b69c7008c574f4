// Puts a role's rules in force. A proxy checks every connection and, if the role lists origins, a gate checks every
// document.
import type { RoleConfig } from "../../proto/gen/troupe.ts";
import type { Chrome } from "../chrome/chrome.ts";
import type { FailedConnections } from "./failed-connections.ts";
import { isListed } from "./origins.ts";
import { FilteringProxy } from "./proxy.ts";
import { type Resolve, systemResolver } from "./resolve.ts";
import { type Holds, TabGuard } from "./tab-guard.ts";
import { upstreamOf } from "./upstream.ts";
import { NOT_LISTED } from "./wall.ts";

/** The parts of a role's policy that tabs and tools use. */
export interface Wall {
  /** Origins of documents; if empty, any http(s). */
  readonly allow: readonly string[];
  /** All origins of the role's lists, for any purpose. */
  readonly listed: readonly string[];
  readonly daemonPorts: readonly number[];
  readonly connections: FailedConnections;
  /** Holds a process of a tab to the rules. Undefined if the whole browser is held to them. */
  readonly tabGuard: TabGuard | undefined;
}

type PolicyConfig = Pick<RoleConfig, "allow" | "allowRequests" | "daemonPorts" | "browser">;

/** A document that was blocked, in words that say why. */
export interface BlockedDocument {
  frameId: string;
  url: string;
  reason: string;
}

/** A role's policy in force, from before its browser starts. */
export class RolePolicy implements Wall {
  readonly allow: readonly string[];
  readonly listed: readonly string[];
  readonly daemonPorts: readonly number[];
  tabGuard: TabGuard | undefined;
  readonly #proxy: FilteringProxy;

  static async open(
    { allow, allowRequests, daemonPorts, browser }: PolicyConfig,
    resolve: Resolve = systemResolver(),
  ): Promise<RolePolicy> {
    const listed = [...allow, ...allowRequests];
    // Without a list of requests, any request is allowed. Only documents are held to their list.
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

  /** The proxy address for the browser's connections. */
  get proxyAddress(): string {
    return this.#proxy.address;
  }

  /**
   * Blocks documents of other origins in every page, frame and popup. Interception on the browser's own session covers
   * all of them from their first request. It costs every request a millisecond, so only roles with a list have it.
   */
  async guardDocuments(
    interception: Holds,
    { endpoint }: Pick<Chrome, "endpoint">,
    refused: (document: BlockedDocument) => void,
  ): Promise<void> {
    if (endpoint !== undefined) {
      // Other pages of the browser are a person's own, and go where the person goes.
      this.tabGuard = new TabGuard(this, refused);
      return;
    }
    if (this.allow.length === 0) return;
    await interception.hold({
      patterns: [{ urlPattern: "*", resourceType: "Document" }],
      answer: ({ frameId, request: { url } }) => {
        if (URL.canParse(url) && isListed(new URL(url), this.allow)) return undefined;
        refused({ frameId, url, reason: NOT_LISTED });
        // The request counts as given up, so that the old page stays and no page of Chrome's replaces it.
        return { refused: "Aborted" };
      },
    });
  }

  close(): void {
    this.#proxy.close();
  }
}
