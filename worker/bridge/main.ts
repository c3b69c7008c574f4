// Installs the bridge of one document as `globalThis.__troupe` of an isolated world. It runs at document start, when
// there may be no element yet. It reads nothing before the worker asks.

import { createBridge, type DocumentBridge } from "./bridge.ts";
import { hideUserinfo, isErrorPage } from "./dom/error-page.ts";

const NAME = "__troupe";

// A window may outlive its first, empty document. The bridge in the window then belongs to that first document. Only an
// own property counts, because the page's named elements show up as inherited ones.
const present = Object.getOwnPropertyDescriptor(globalThis, NAME)?.value as DocumentBridge | undefined;

if (present?.page !== document) {
  Object.defineProperty(globalThis, NAME, { value: createBridge(), configurable: true });
  if (isErrorPage(location)) hideUserinfo(document);
}
