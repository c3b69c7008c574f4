import assert from "node:assert/strict";
import { test } from "node:test";
import { isTroupeError } from "../../../proto/errors/catalogue.ts";
import { checkAllowed, parseAddress } from "../../../worker/session/url-policy.ts";

test("addresses are accepted as people write them", () => {
  for (const [text, href] of [
    ["https://shop.example/a?b#c", "https://shop.example/a?b#c"],
    ["shop.example", "https://shop.example/"],
    [" shop.example:8080/x ", "https://shop.example:8080/x"],
    ["localhost:3000", "http://localhost:3000/"],
    ["127.0.0.1/x", "http://127.0.0.1/x"],
    ["[::1]:80", "http://[::1]/"],
    ["about:blank", "about:blank"],
    ["HTTP://EXAMPLE.com", "http://example.com/"],
    ['"shop.example/a"', "https://shop.example/a"],
    ["<https://shop.example/a>", "https://shop.example/a"],
    ["//shop.example/a", "https://shop.example/a"],
  ] as const)
    assert.equal(parseAddress(text).href, href);
});

test("a text that is no address is refused as such", () => {
  for (const text of ["", "   ", "http://", "https://a b/", "://x", "/cart", "?q=1"])
    assert.throws(() => parseAddress(text), isType("INVALID_ARGUMENT"), text);
});

test("a path belongs to the page's own site", () => {
  const base = "https://shop.example/account/orders?page=2";
  for (const [text, href] of [
    ["/cart", "https://shop.example/cart"],
    ["../x", "https://shop.example/x"],
    ["?page=3", "https://shop.example/account/orders?page=3"],
    ["cart.example", "https://cart.example/"],
  ] as const)
    assert.equal(parseAddress(text, base).href, href);
  assert.throws(() => parseAddress("/cart", "about:blank"), isType("INVALID_ARGUMENT"));
});

test("a misspelt scheme is refused with the right one", () => {
  for (const [text, url] of [
    ["htps://shop.example/a", "https://shop.example/a"],
    ["htp://shop.example", "http://shop.example"],
    ["https//shop.example", "https://shop.example"],
    ["http;//shop.example", "http://shop.example"],
  ] as const)
    assert.throws(
      () => parseAddress(text),
      (error) =>
        isTroupeError(error) && (error.data as { corrected?: { url: string } }).corrected?.url === url,
      text,
    );
});

test("without an allow list, any web page may be opened, but no page of the machine or the browser", () => {
  for (const url of ["http://a.example/", "https://10.0.0.1/", "data:text/html,x", "about:blank"])
    checkAllowed(new URL(url), ANY);
  for (const url of [
    "file:///etc/passwd",
    "FILE:///c:/",
    "chrome://gpu",
    "devtools://x",
    "view-source:https://a.example",
    "javascript:alert(1)",
    "chrome-extension://abc/x.html",
    "filesystem:http://a.example/temporary/x",
    "ftp://a.example/",
    "mailto:a@b.example",
    "about:settings",
  ])
    assert.throws(() => checkAllowed(new URL(url), ANY), isType("NAVIGATION_BLOCKED"), url);
});

test("an allow list lets its origins through, and nothing else", () => {
  const allow = ["https://*.shop.example", "http://127.0.0.1:8080"];
  for (const url of [
    "https://shop.example/x",
    "https://a.b.shop.example/",
    "http://127.0.0.1:8080/",
    "blob:https://shop.example/x",
    "about:blank",
  ])
    checkAllowed(new URL(url), listing(allow));
  for (const url of [
    "http://shop.example/",
    "https://shop.example:444/",
    "https://evilshop.example/",
    "https://shop.example.evil.example/",
    "https://shop.example@evil.example/",
    "http://127.0.0.1:8081/",
    "data:text/html,x",
    "blob:https://evil.example/x",
  ])
    assert.throws(() => checkAllowed(new URL(url), listing(allow)), isType("NAVIGATION_BLOCKED"), url);
});

test("pages of the machine or the browser may be opened if their scheme is listed", () => {
  checkAllowed(new URL("file:///srv/docs/a.html"), listing(["file:", "https://a.example"]));
  assert.throws(
    () => checkAllowed(new URL("chrome://gpu"), listing(["file:"])),
    isType("NAVIGATION_BLOCKED"),
  );
});

test("metadata services and the daemon are not opened in any spelling, unless they are listed", () => {
  const rules = { ...ANY, daemonPorts: [7421] };
  for (const url of [
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://0xa9.0xfe.0xa9.0xfe/",
    "http://[::ffff:169.254.169.254]/",
    "http://[fd00:ec2::254]/",
    "http://[fd00:ec2::23]/",
    "http://[fd00:42::42]/",
    "http://metadata.google.internal/",
    "http://METADATA.google.internal./",
    "http://127.0.0.1:7421/console",
    "http://127.9.9.9:7421/",
    "http://[::1]:7421/",
    "http://0.0.0.0:7421/",
  ])
    assert.throws(() => checkAllowed(new URL(url), rules), isType("NAVIGATION_BLOCKED"), url);
  checkAllowed(new URL("http://127.0.0.1:7422/"), rules);
  const listed = ["http://169.254.169.254", "http://127.0.0.1:7421"];
  for (const url of listed) checkAllowed(new URL(url), { ...rules, ...listing(listed) });
});

const ANY = { allow: [], listed: [], daemonPorts: [] as number[] };

function listing(allow: string[]) {
  return { allow, listed: allow, daemonPorts: [] };
}

function isType(type: string): (error: unknown) => boolean {
  return (error) => isTroupeError(error) && error.type === type;
}
