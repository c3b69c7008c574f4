// Finds a port that no program listens at, and that none gets by chance until it is used.
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Linux, macOS and Windows give ports from 32768 on to connections and to servers that ask for any port. A program that
 * asks for one of those later may find it taken.
 */
const FIRST = 10_240;
const BEYOND = 32_768;
const TRIES_MAX = 100;

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const port = randomInt(FIRST, BEYOND);
    if (await isFree(port)) return port;
  }
  throw new Error(`none of ${TRIES_MAX} ports is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
