// Lets programs import `troupe` from this checkout's sources, as users import it from the package. Name it with `node --import`.
import { registerHooks } from "node:module";

const entries: Readonly<Record<string, string>> = {
  troupe: new URL("../../../client/sdk/index.ts", import.meta.url).href,
  "troupe/adapters": new URL("../../../client/adapters/index.ts", import.meta.url).href,
};

registerHooks({ resolve: (specifier, context, next) => next(entries[specifier] ?? specifier, context) });
