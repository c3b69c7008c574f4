/** A script for the bridge's world: idle periods come when the test runs `nextIdle`. */
export const HOLD_IDLE = `globalThis.requestIdleCallback = (run) => { globalThis.nextIdle = run; return 0; };`;
