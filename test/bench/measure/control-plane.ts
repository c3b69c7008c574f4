/**
 * Measures what daemon and worker add to a question that Chrome answers. The same question goes through them and
 * directly over a pipe.
 */
import { launch } from "puppeteer-core";
import { parseAddress } from "../../../client/connection/address.ts";
import { DaemonLink } from "../../../client/connection/daemon-link.ts";
import { Session } from "../../../client/session/session.ts";
import { stateFiles } from "../../../proto/machine/locations.ts";
import type { FoundBrowser } from "../../../worker/chrome/find-browser.ts";
import { troupeStateDir } from "../contenders/troupe.ts";
import { attempt, type Run } from "./rounds.ts";

export const controlPage = "control-plane";

export async function measureControlPlane(run: Run, browser: FoundBrowser): Promise<void> {
  const troupe = run.entrants.find(({ contender }) => contender.id === "troupe");
  if (!troupe) return;
  const rounds = run.quick ? 50 : 400;
  run.say(`${controlPage}: ${rounds} rounds`);
  await attempt(run, { contender: "troupe", page: controlPage }, async (keep) => {
    await using straight = await pageOverPipe(browser);
    await using session = await sessionOf(troupeStateDir(troupe.running), troupe.stage.small());
    for (let round = 0; round < rounds; round++) {
      keep("raw-cdp", await timed(straight.ask));
      keep("grpc", await timed(session.ask));
    }
  });
}

type Asked = AsyncDisposable & { ask(): Promise<unknown> };

async function timed(ask: () => Promise<unknown>): Promise<{ ms: number; text: string }> {
  const startedAt = performance.now();
  await ask();
  return { ms: performance.now() - startedAt, text: "" };
}

async function pageOverPipe({ executable, env }: FoundBrowser): Promise<Asked> {
  const chrome = await launch({
    executablePath: executable,
    env: { ...process.env, ...env },
    pipe: true,
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  await using open = new AsyncDisposableStack();
  open.defer(() => chrome.close());
  const page = await chrome.newPage();
  const client = await page.createCDPSession();
  const parts = open.move();
  return {
    // A worker asks Chrome this to list one tab.
    ask: () => client.send("Page.getNavigationHistory"),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

async function sessionOf(stateDir: string, url: string): Promise<Asked> {
  const files = stateFiles({ cwd: "/", env: {}, stateDir });
  const link = new DaemonLink({ addresses: () => [parseAddress("unix:default", "/", files)] });
  const session = new Session({ link, id: "bench-control-plane", profile: "core", own: true });
  await session.call("browser_navigate", { url });
  return {
    ask: () => session.call("browser_tabs", { action: "list" }),
    async [Symbol.asyncDispose]() {
      await session.close(AbortSignal.timeout(5_000));
      link.close();
    },
  };
}
