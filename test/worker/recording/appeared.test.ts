import assert from "node:assert/strict";
import { test } from "node:test";
import { appearedIn } from "../../../worker/recording/appeared.ts";
import { addressCode, textCode, valueCode } from "../../../worker/recording/playwright-values.ts";

test("a delta's new texts are told, messages first, without values, frames and what was there before", () => {
  const reply = `Clicked e3 button "Buy"
changed since snapshot 7 (snapshot 8, 1,204 elements; browser_snapshot full=true shows all):
~ - button "Cart (2)" [ref=e3]
~ - status: Added
+ in list "Results" [ref=e9] after e40:
  - listitem: Lamp
  - textbox "Name" [ref=e5]: Carla
  - heading "Done" [level=2]
+ in iframe "Pay" [ref=f1_e2]:
  - heading "Inside" [level=1]
removed from list "Results" [ref=e9]: e17 button "Buy"`;
  assert.deepEqual(appearedIn(reply), [
    { text: "Added" },
    { role: "heading", text: "Done" },
    { text: "Lamp" },
  ]);
});

test("lines that have changed in a place are told, except for controls that were there before", () => {
  const reply = `Clicked e1 button "Count"
changed since snapshot 3 (snapshot 4, 3 elements; browser_snapshot full=true shows all):
~ in the page:
  - status: Counted twice
  - button "Count again" [ref=e1]
~ in iframe "Pay" [ref=f1_e2]:
  - status: Paid`;
  assert.deepEqual(appearedIn(reply), [{ text: "Counted twice" }]);
});

test("of a whole page only headings and messages are told, and a page's words cannot pass for a line", () => {
  const reply = `Opened http://shop.example/
Page "x" http://shop.example/ (tab t1, role customer)

- heading "Orders" [level=1]
- link "Two" [ref=e1] [url=/two]
- paragraph: "- heading \\"Fake\\" [level=1]"
- iframe "Payment" [ref=e10]:
  - heading "Inside" [level=1]
- alert: Out of stock`;
  assert.deepEqual(appearedIn(reply), [{ text: "Out of stock" }, { role: "heading", text: "Orders" }]);
});

test("texts, addresses and secrets are written as code", () => {
  assert.equal(textCode("Cart (2)", true), "/^Cart \\([\\d.,:]+\\)$/");
  assert.equal(textCode("Total: 1,204.50 €", false), "/Total: [\\d.,:]+ €/");
  assert.equal(textCode('Say "hi"', true), '"Say \\"hi\\""');
  assert.equal(addressCode("http://a.test/orders/1042?x=1"), "/\\/orders\\/[^/?#]+(?:[?#]|$)/");
  assert.equal(addressCode("http://a.test/app#/users/7"), "/\\/app[^#]*#\\/users\\/7(?:[?]|$)/");
  assert.equal(addressCode("about:blank"), undefined);
  assert.equal(valueCode("a {{shop.card-no}} b"), '"a " + secret("SHOP_CARD_NO") + " b"');
});
