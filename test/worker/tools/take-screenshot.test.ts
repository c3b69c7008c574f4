// Tests browser_take_screenshot: real pictures of the viewport, of the whole page and of an element.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inflateSync } from "node:zlib";
import { type Outcome, refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();
const page = site.page(
  `<body style="margin:0"><div style="height:2000px;background:linear-gradient(red,blue)">tall</div><button style="width:200px;height:50px">Far down</button>`,
);

test("a picture of the viewport is a PNG of the viewport's size", async () => {
  await using session = worker.session();
  await session.open(page);
  const shot = await session.do("browser_take_screenshot");
  assert.equal(shot.mimeType, "image/png");
  const { width, height } = sizeOfPng(shot);
  assert.equal(width, 1280);
  assert.ok(height > 600 && height <= 720, `${height} pixels`);
  assert.equal(shot.text, "Picture of what is in view");
});

test("a picture of the whole page is as tall as the page", async () => {
  await using session = worker.session();
  await session.open(page);
  const { width, height } = sizeOfPng(await session.do("browser_take_screenshot", { fullPage: true }));
  assert.equal(width, 1280);
  assert.ok(height >= 2050 && height < 2200, `${height} pixels`);
});

test("a picture of a page of 100,000 pixels is cut, scaled and small, and says so", async () => {
  await using session = worker.session();
  await session.open(
    site.page(`<div style="height:100000px;background:linear-gradient(red,blue)">tall</div>`),
  );
  const { text, image } = await session.do("browser_take_screenshot", { fullPage: true });
  assert.match(text, /cut at 8,000 of 100,0\d\d pixels \(.*\), scaled to \d\d%/);
  assert.ok((image as Buffer).length <= 2 * 2 ** 20);
});

test("a picture that is too large as PNG comes as JPEG, and smaller if PNG was asked for", async () => {
  await using session = worker.session();
  await session.open(
    site.page(`<body style="margin:0"><canvas width=1280 height=2400></canvas><script>
      const c = document.querySelector("canvas").getContext("2d");
      const pixels = c.createImageData(1280, 2400);
      let seed = 1;
      for (let i = 0; i < pixels.data.length; i++) pixels.data[i] = i % 4 === 3 ? 255 : (seed = (seed * 48271) % 2147483647) & 255;
      c.putImageData(pixels, 0, 0);
    </script>`),
  );
  const any = await session.do("browser_take_screenshot", { fullPage: true });
  assert.equal(any.mimeType, "image/jpeg");
  const png = await session.do("browser_take_screenshot", { fullPage: true, type: "png" });
  assert.equal(png.mimeType, "image/png");
  assert.match(png.text, /scaled to \d\d%/);
  for (const { image } of [any, png]) assert.ok((image as Buffer).length <= 2 * 2 ** 20);
});

test("a picture of an element has the element's size, inside frames too", async () => {
  await using session = worker.session();
  const text = await session.open(page);
  const shot = await session.do("browser_take_screenshot", { ref: refOf(text, "Far down") });
  assert.deepEqual(sizeOfPng(shot), { width: 200, height: 50 });
  assert.match(shot.text, /^Picture of e1 button "Far down"/);
  const framed = await session.open(
    site.page(`<iframe title=F style="height:300px" src="${site.elsewhere(page)}"></iframe>`),
  );
  const inner = await session.do("browser_take_screenshot", { ref: refOf(framed, "Far down") });
  assert.deepEqual(sizeOfPng(inner), { width: 200, height: 50 });
});

test("a picture of an element in a scaled frame has its visible place and size, even if clipped", async () => {
  await using session = worker.session();
  const inner = site.elsewhere(
    site.page(
      `<body style="margin:0;background:white"><button style="width:600px;height:100px;border:10px solid rgb(0,128,255)">Wide</button>`,
    ),
  );
  const text = await session.open(
    site.page(
      `<iframe title=F style="width:400px;height:300px;border:0;transform:scale(0.5);transform-origin:0 0;margin:40px" src="${inner}"></iframe>`,
    ),
  );
  const shot = await session.do("browser_take_screenshot", { ref: refOf(text, "Wide") });
  assert.deepEqual(sizeOfPng(shot), { width: 300, height: 50 });
  assert.deepEqual(firstPixel(shot), [0, 128, 255]);
});

test("a picture is a JPEG if the call asks for one", async () => {
  await using session = worker.session();
  await session.open(page);
  const { mimeType, image } = await session.do("browser_take_screenshot", { type: "jpeg" });
  assert.equal(mimeType, "image/jpeg");
  const bytes = Buffer.from(image as Uint8Array);
  assert.equal(bytes.subarray(0, 3).toString("hex"), "ffd8ff");
  assert.equal(bytes.subarray(-2).toString("hex"), "ffd9");
});

test("marks name the elements that can be acted on, and leave the page unchanged", async () => {
  await using session = worker.session();
  const text = await session.open(site.page(`<button>One</button><a href="#x">Two</a>`));
  const plain = await session.do("browser_take_screenshot");
  const marked = await session.do("browser_take_screenshot", { annotate: true });
  assert.match(marked.text, /\[ref=e1\] button "One"\n\[ref=e2\] link "Two"/);
  assert.notDeepEqual(marked.image, plain.image);
  assert.equal((await session.read()).split("\n\n")[1], text.split("\n\n")[1]);
});

test("an element that is missing or not shown has no picture", async () => {
  await using session = worker.session();
  const text = await session.open(
    site.page(`<button id=b>Hide</button><button onclick="b.hidden=true">Do</button>`),
  );
  await session.refuse("UNKNOWN_REF", "browser_take_screenshot", { ref: "e9" });
  await session.do("browser_click", { ref: refOf(text, "Do") });
  await session.refuse("ELEMENT_NOT_VISIBLE", "browser_take_screenshot", { ref: refOf(text, "Hide") });
  await session.refuse("INVALID_ARGUMENT", "browser_take_screenshot", { ref: "e1", fullPage: true });
});

/** The first pixel has none before it in its line, so any filter writes it unchanged. */
function firstPixel({ image }: Outcome): number[] {
  const bytes = Buffer.from(image as Uint8Array);
  const parts: Buffer[] = [];
  for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at) + 12)
    if (bytes.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  return [...inflateSync(Buffer.concat(parts)).subarray(1, 4)];
}

function sizeOfPng({ image }: Outcome): { width: number; height: number } {
  const bytes = Buffer.from(image as Uint8Array);
  assert.equal(bytes.subarray(0, 8).toString("hex"), "89504e470d0a1a0a");
  assert.equal(bytes.subarray(-8, -4).toString("latin1"), "IEND");
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}
