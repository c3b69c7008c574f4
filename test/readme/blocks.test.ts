// Every block of README and of the pages that people write runs: each page's in order, in a folder that begins empty.
// One daemon with the example's shop and roles serves all pages but those whose blocks start their own.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { missingPython } from "../e2e/python.ts";
import { freePort } from "../harness/free-port.ts";
import { compile } from "../harness/reader/compile.ts";
import { openShell, type Shell } from "../harness/reader/shell.ts";
import { skipWithoutPostgres, startPostgres } from "../harness/servers/postgres.ts";
import { shared } from "../harness/shared.ts";
import { startTroupe } from "../harness/troupe.ts";
import { notRun, staged } from "./block-table.ts";
import { type Block, blocksOf, PAGES, pageText, ROOT } from "./pages.ts";
import { runners } from "./run-block.ts";

/** A page starts several programs and, for its roles, browsers. */
const PAGE_TIME = { timeout: 300_000 };
const TEAM = "docs/TEAM.md";
const DAEMONS = "docs/DAEMONS.md";
/** The pages whose blocks start daemons of their own. */
const OWN_DAEMONS: readonly string[] = [TEAM, DAEMONS];
/** The ports of further daemons in the pages. */
const OTHER_PORTS = [7424, 7520, 7521, 7524];
const DATABASE = "postgres://troupe:PASSWORD@127.0.0.1:5432/troupe";
const grpcPort = await freePort();
const recorded = (shopUrl: string) => ({
  customer: { startUrl: `${shopUrl}/account`, auth: "auth/customer.json", authRequired: true, record: true },
});
const troupe = shared(
  await startTroupe({ roles: recorded, settings: { listen: ["unix:default", `127.0.0.1:${grpcPort}`] } }),
);
const token = readFileSync(path.join(troupe.stateDir, "token"), "utf8").trim();
const pythonLacks = await missingPython();
const blocks = Object.keys(PAGES).flatMap((page) => blocksOf(page, pageText(page)));

test("each block is run, or stands in the table with the reason", () => {
  const unknown = blocks.filter((block) => !whyNotRun(block) && !(block.language in runners));
  assert.deepEqual(unknown.map(placeOf), []);
  const needless = notRun.filter(
    ({ page, holds }) =>
      blocks.filter((each) => each.page === page && each.text.includes(holds)).length !== 1,
  );
  assert.deepEqual(needless, []);
});

test("the programs in TypeScript pass the compiler", async () => {
  const programs = blocks.filter(({ language }) => language === "ts").map(({ text }) => text);
  await compile(Object.fromEntries(programs.map((text, index) => [`program-${index}.ts`, text])));
});

for (const page of Object.keys(PAGES)) {
  const own = blocks.filter((block) => block.page === page && !whyNotRun(block));
  const skip = page === DAEMONS && skipWithoutPostgres;
  test(`the blocks of ${page} run in order`, { ...PAGE_TIME, skip }, async (t) => {
    await using shell = openShell(OWN_DAEMONS.includes(page) ? {} : { TROUPE_STATE_DIR: troupe.stateDir });
    await using database = page === DAEMONS ? await startPostgres() : undefined;
    const addresses = {
      ...(await addressesOf(page)),
      ...(database && { [DATABASE]: await database.database() }),
    };
    for (const block of own) {
      const skip = (needsPython(block) && pythonLacks) || false;
      await t.test(placeOf(block), { skip }, () => run(block, shell, addresses));
    }
  });
}

async function run(block: Block, shell: Shell, addresses: Record<string, string>): Promise<void> {
  await runners[block.language]?.({ ...block, text: staged(block.text, addresses) }, shell);
}

/** The addresses of the example and of default settings, and those on this stage. */
async function addressesOf(page: string): Promise<Record<string, string>> {
  const startsOwn = OWN_DAEMONS.includes(page);
  const http = startsOwn ? await freePort() : new URL(troupe.http).port;
  const grpc = startsOwn ? await freePort() : grpcPort;
  const others = await Promise.all(OTHER_PORTS.map(async (port) => [`:${port}`, `:${await freePort()}`]));
  return {
    "https://shop.example": troupe.shopUrl,
    ":7422": `:${new URL(troupe.shopUrl).port}`,
    ":7421": `:${http}`,
    ":7420": `:${grpc}`,
    ...Object.fromEntries(others),
    "0.0.0.0": "127.0.0.1",
    "Bearer TOKEN": `Bearer ${token}`,
    "$(npm root -g)/troupe/dist/proto": path.join(ROOT, "proto"),
  };
}

function whyNotRun({ page, text }: Block): string | undefined {
  return notRun.find((each) => each.page === page && text.includes(each.holds))?.why;
}

function needsPython({ language, text }: Block): boolean {
  return language === "python" || text.includes("python3");
}

function placeOf({ page, line, language }: Block): string {
  return `${page}:${line} ${language}`;
}
