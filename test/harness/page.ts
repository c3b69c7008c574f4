// Opens a browser with the bridge in its pages, and serves the pages, for tests of the bridge alone.
import assert from "node:assert/strict";
import path from "node:path";
import { after } from "node:test";
import { build, stop } from "esbuild";
import type { CDPSession, Page } from "puppeteer-core";
import type { Bridge, TreeOptions } from "../../worker/bridge/api/bridge-api.ts";
import { type LaunchedChrome, launchChrome, NO_WISHES } from "../../worker/chrome/launch.ts";
import { pageScripts } from "../../worker/tab/bridge-bundle.ts";
import { BRIDGE_WORLD } from "../../worker/tab/frames/frame.ts";
import { type Site, serveSite } from "../site/serve.ts";

type Answer<M extends keyof Bridge> = Awaited<ReturnType<Bridge[M]>>;

/** A page and its bridge. */
export interface BridgePage {
  page: Page;
  /** Opens a fresh document with this content. */
  open(content: string, type?: string): Promise<void>;
  call<M extends keyof Bridge>(method: M, ...args: Parameters<Bridge[M]>): Promise<Answer<M>>;
  /** Returns the document's tree as text. */
  tree(options?: TreeOptions): Promise<string>;
  /** Opens a document and returns its tree. */
  treeOf(content: string, type?: string): Promise<string>;
  /** Returns the ref on the first line of a fresh tree that contains the text. */
  refOf(text: string): Promise<string>;
  /** Keeps a document of another origin than the pages', and returns its address. */
  elsewhere(content: string, type: string): string;
  /** Evaluates a script in the page's own world. */
  run(script: string): Promise<unknown>;
  /** Evaluates an expression in the bridge's world. */
  inWorld(expression: string): Promise<unknown>;
}

/** Opens one browser and one page for all tests of a file, and closes them afterwards. */
export async function openBridge(): Promise<BridgePage> {
  const [chrome, scripts, site] = await Promise.all([launchChrome(NO_WISHES), pageScripts(), serveSite()]);
  after(async () => {
    await site[Symbol.asyncDispose]();
    await chrome.close();
  });
  return await bridgePage(chrome, scripts.bridge, site);
}

/** Bundles a script of page/ for the bridge's world. */
export async function bundlePage(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, `../bridge/page/${name}.ts`)],
    bundle: true,
    write: false,
    format: "iife",
  });
  await stop();
  return outputFiles[0]?.text ?? "";
}

async function bridgePage(chrome: LaunchedChrome, bundle: string, site: Site): Promise<BridgePage> {
  const page = await chrome.browser.newPage();
  const session = await page.createCDPSession();
  const world = await followWorld(session, bundle);
  const call: BridgePage["call"] = async (method, ...args) => {
    const { result, exceptionDetails } = await session.send("Runtime.callFunctionOn", {
      executionContextId: world(),
      functionDeclaration: "function (method, ...args) { return __troupe[method](...args); }",
      arguments: [method, ...args].map((value) => ({ value })),
      returnByValue: true,
      awaitPromise: true,
    });
    assert.equal(exceptionDetails?.exception?.description, undefined);
    return result.value;
  };
  const inWorld = async (expression: string) => {
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
      contextId: world(),
      expression,
      returnByValue: true,
    });
    assert.equal(exceptionDetails?.exception?.description, undefined);
    return result.value as unknown;
  };
  const served = (content: string, type: string) =>
    site.page(content, { headers: { "content-type": `${type}; charset=utf-8` } });
  const open = async (content: string, type = "text/html") => {
    const status = await page.goto(served(content, type), { waitUntil: "load" });
    assert.equal(status?.status(), 200);
  };
  const tree = async (options: TreeOptions = {}) => (await call("tree", options)).text;
  return {
    page,
    open,
    call,
    inWorld,
    tree,
    elsewhere: (content, type) => site.elsewhere(served(content, type)),
    run: (script) => page.evaluate(script),
    async treeOf(content, type) {
      await open(content, type);
      return await tree();
    },
    async refOf(text) {
      const text_ = await tree();
      const line = text_.split("\n").find((one) => one.includes(text));
      const ref = /\[ref=(\w+)\]/.exec(line ?? "")?.[1];
      assert.ok(ref, `no ref on a line with ${text} in:\n${text_}`);
      return ref;
    },
  };
}

/** Puts the bridge into every document of the page. Returns a function for the context of the newest main document. */
async function followWorld(session: CDPSession, bundle: string): Promise<() => number> {
  let current = 0;
  await session.send("Page.enable");
  const { frameTree } = await session.send("Page.getFrameTree");
  session.on("Runtime.executionContextCreated", ({ context }) => {
    const isMain = context.auxData?.frameId === frameTree.frame.id;
    if (isMain && context.name === BRIDGE_WORLD) current = context.id;
  });
  const world = { source: bundle, worldName: BRIDGE_WORLD, runImmediately: true };
  await session.send("Page.addScriptToEvaluateOnNewDocument", world);
  await session.send("Runtime.enable");
  return () => current;
}
