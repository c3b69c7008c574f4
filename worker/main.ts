// A worker's process. It begins to start the role's browser first, because the rest takes a while to load.
import { text } from "node:stream/consumers";
import { beginBrowser } from "./role/role-browser.ts";

// Files of the worker, its socket among them, are its user's alone.
process.umask(0o077);
// The daemon sends the role's configuration as JSON. Without one, the browser starts with the role.
const json = await text(process.stdin);
const begun = json ? beginBrowser(JSON.parse(json)) : undefined;
// The role's start reports it.
begun?.catch(() => undefined);
const { runWorker } = await import("./service/run-worker.ts");
await runWorker(begun);
