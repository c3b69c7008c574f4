// The tools of other servers, and how the same is done here.
import { acting } from "./acting.ts";
import type { Counterpart } from "./counterpart.ts";
import { inspecting } from "./inspecting.ts";
import { leftOut } from "./left-out.ts";

export const counterparts: readonly Counterpart[] = [...acting, ...inspecting, ...leftOut];
