import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { tempDir } from "../../harness/temp-dir.ts";
import { listHtml } from "./list-page.ts";
import { Site, type Stage } from "./site.ts";

const DEADLINE = { timeout: 60_000 };

async function withSite(use: (stage: Stage, url: string) => Promise<void>): Promise<void> {
  using temp = tempDir();
  const { dir } = temp;
  await mkdir(path.join(dir, "spectre.css/docs/elements"), { recursive: true });
  await writeFile(path.join(dir, "spectre.css/docs/elements/forms.html"), "<p>Form validation</p>");
  await writeFile(path.join(dir, "secret"), "secret");
  await using site = await Site.start(dir);
  const stage = site.stage("troupe");
  await use(stage, stage.small().replace(/\/small.*/, ""));
}

const text = async (url: string) => await (await fetch(url)).text();

test("a row is 8 elements, and no two visits show the same list at the same length", () => {
  const [one, two] = [listHtml(12, 1, ""), listHtml(12, 2, "")];
  const elements = (html: string) => html.match(/<[a-z]/g)?.length ?? 0;
  assert.equal(elements(one) - elements(listHtml(11, 1, "")), 8);
  assert.notEqual(one, two);
  assert.equal(one.length, two.length);
});

test("a page's order and the page's answer are matched", DEADLINE, async () => {
  await withSite(async (stage, url) => {
    await assert.rejects(stage.visit("rows/10"), /none of the benchmark's pages/);
    const orders = await fetch(`${url}/orders`);
    const reader = orders.body!.pipeThrough(new TextDecoderStream()).getReader();
    await reader.read();
    const visited = stage.visit("rows/10");
    const { value = "" } = await reader.read();
    const order = JSON.parse(value.replace("data: ", ""));
    assert.match(order.go, new RegExp(`/rows/10\\?visit=${order.n}$`));
    assert.match(await text(order.go), /Add 9 to cart/);
    await fetch(`${url}/done?n=${order.n}`, { method: "POST" });
    await visited;
    await reader.cancel();
  });
});

test(
  "a real page takes part, loads nothing from elsewhere, and only its package is served",
  DEADLINE,
  async () => {
    await withSite(async (_stage, url) => {
      const page = await fetch(`${url}/real/spectre-forms/docs/elements/forms.html`);
      assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'self'/);
      assert.match(await page.text(), /Form validation[\s\S]*EventSource/);
      for (const place of ["docs/nothing.css", "..%2fsecret", "%2e%2e/secret", "docs"]) {
        assert.equal((await fetch(`${url}/real/spectre-forms/${place}`)).status, 404, place);
      }
    });
  },
);
