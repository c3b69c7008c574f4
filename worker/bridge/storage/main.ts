// Reads and fills the storage of a document's origin, as `globalThis.__troupeStorage` of a separate isolated world.
import type { StorageProgram } from "./api.ts";
import { fillStorage } from "./fill.ts";
import { readStorage } from "./read.ts";

const program: StorageProgram = { read: readStorage, fill: fillStorage };

Object.defineProperty(globalThis, "__troupeStorage", { value: program, configurable: true });
