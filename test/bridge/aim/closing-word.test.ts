import assert from "node:assert/strict";
import { test } from "node:test";
import { closingControl } from "../../../worker/bridge/aim/closing-word.ts";

/** Returns the name of the button that closes a layer with these buttons. An arrow marks a link to another page. */
function closes(names: string[], text = ""): string | undefined {
  const controls = names.map((name) => ({ name: name.replace("→ ", ""), leads: name.startsWith("→ ") }));
  return closingControl(controls, text)?.name;
}

test("OK closes only a layer that asks nothing and has nothing else to press", () => {
  assert.equal(closes(["OK", "Cancel"], "Delete all your data?"), "Cancel");
  assert.equal(closes(["OK"], "Delete all your data?"), undefined);
  assert.equal(closes(["OK", "Later on"], "A new version is there."), undefined);
  assert.equal(closes(["OK", ""], "Type your name to go on."), undefined);
  assert.equal(closes(["OK"], "Your file has been saved."), "OK");
  assert.equal(closes(["→ Read more", "Got it"], "This site has changed."), "Got it");
});

test("close, dismiss and hide close only a known kind of layer", () => {
  for (const name of ["Close dialog", "close this window", "Dismiss the cookie banner", "Hide menu", "×"])
    assert.equal(closes(["Go on", name]), name, name);
  for (const name of ["Close my account", "Close account", "Hide all my posts", "Dismiss Ada", "Close deal"])
    assert.equal(closes(["Go on", name]), undefined, name);
});

test("a word in the layer's own text is what the layer asks about", () => {
  assert.equal(closes(["Close", "Cancel"], "Close your account?"), "Cancel");
  assert.equal(closes(["Cancel", "Keep it"], "Cancel your subscription?"), undefined);
  assert.equal(closes(["Hide", "No thanks"], "Hide this post from everybody?"), "No thanks");
  assert.equal(closes(["Subscribe", "Close"], "Our newsletter, with much disclosed"), "Close");
});

test("a control that declines comes before one that only says close", () => {
  assert.equal(closes(["Close", "Cancel"], "Your changes are not saved."), "Cancel");
  assert.equal(closes(["Cancel", "Close dialog"], "Uploading"), "Close dialog");
});

test("a refusal closes a banner of consent and no other question", () => {
  for (const name of [
    "Reject all",
    "Decline",
    "Only necessary cookies",
    "Necessary only",
    "Alle ablehnen",
    "Tout refuser",
  ])
    assert.equal(closes(["Accept all", name], "We use cookies."), name, name);
  assert.equal(closes(["Approve", "Reject"], "A request for leave, of Ada"), undefined);
  assert.equal(closes(["Accept all", "Settings"], "We use cookies."), undefined);
  assert.equal(closes(["Reject all", "×"], "We use cookies."), "×");
});
