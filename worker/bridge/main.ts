// The bridge of one document, as `globalThis.__troupe` of an isolated world. Evaluated at document start, when there
// may be no element yet; nothing is looked at before it is asked for.

import { createBridge, type DocumentBridge } from "./bridge.ts";
import { hideUserinfo, isErrorPage } from "./dom/error-page.ts";

const NAME = "__troupe";

// A window may outlive its first, empty document; then the bridge in it is that one's. Only an own property counts:
// the page's named elements show up as inherited ones.
const present = Object.getOwnPropertyDescriptor(globalThis, NAME)?.value as DocumentBridge | undefined;

if (present?.page !== document) {
  Object.defineProperty(globalThis, NAME, { value: createBridge(), configurable: true });
  if (isErrorPage(location)) hideUserinfo(document);
}
