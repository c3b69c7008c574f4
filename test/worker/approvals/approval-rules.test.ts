import assert from "node:assert/strict";
import { test } from "node:test";
import { actionOf, approvalRules, heldPatterns } from "../../../worker/approvals/approval-rules.ts";

const rules = approvalRules([
  "submit:https://*.bank.example/transfer*",
  "submit:http://127.0.0.1:8080",
  "navigate:https://pay.example/checkout",
]);

/** Returns what waits, for a request as a line: method, address, and the page if it is a document's. */
const action = (method: string, url: string, shownUrl?: string) =>
  actionOf({ method, url, isDocument: shownUrl !== undefined, shownUrl: shownUrl ?? "" }, rules);

test("requests wait by their method, origin and path, however these are spelt", () => {
  const waits: [method: string, url: string][] = [
    ["POST", "https://bank.example/transfer"],
    ["post", "https://www.bank.example/transfer/5?amount=1"],
    ["DELETE", "https://bank.example:443/transfers"],
    ["PATCH", "https://user@bank.example/%74ransfer"],
    ["POST", "https://bank.example//transfer"],
    ["POST", "https://bank.example/x/../transfer"],
    ["PUT", "http://127.0.0.1:8080/anything"],
    ["PURGE", "http://127.0.0.1:8080/"],
  ];
  for (const [method, url] of waits) assert.equal(action(method, url), "submit", `${method} ${url}`);
});

test("other requests go on", () => {
  const goesOn: [method: string, url: string][] = [
    ["GET", "https://bank.example/transfer"],
    ["HEAD", "https://bank.example/transfer"],
    ["POST", "https://bank.example/login"],
    ["POST", "http://bank.example/transfer"],
    ["POST", "https://bank.example:8443/transfer"],
    ["POST", "https://evilbank.example/transfer"],
    ["POST", "https://evil.example/bank.example/transfer"],
    ["POST", "http://127.0.0.1:8081/"],
    ["POST", "data:text/html,x"],
    ["POST", "https://bank.example/%"],
  ];
  for (const [method, url] of goesOn) assert.equal(action(method, url), undefined, `${method} ${url}`);
});

test("a document waits if it is opened from elsewhere", () => {
  const url = "https://pay.example/checkout";
  assert.equal(action("GET", url, "https://shop.example/"), "navigate");
  assert.equal(action("GET", url, ""), "navigate");
  assert.equal(action("GET", url, "https://pay.example/"), "navigate");
  assert.equal(action("GET", url, url), undefined);
  assert.equal(action("GET", "https://pay.example/help", "https://shop.example/"), undefined);
  assert.equal(action("GET", url), undefined);
});

test("Chrome holds back what may wait, and little else", () => {
  assert.deepEqual(heldPatterns(rules), [
    { urlPattern: "https://bank.example/*" },
    { urlPattern: "https://*.bank.example/*" },
    { urlPattern: "http://127.0.0.1:8080/*" },
    { urlPattern: "https://pay.example/*", resourceType: "Document" },
  ]);
  assert.deepEqual(heldPatterns(approvalRules(["downloads", "uploads"])), []);
  assert.deepEqual(heldPatterns(approvalRules(["submit:https://a.example:443/x"])), [
    { urlPattern: "https://a.example/*" },
  ]);
});
