// Checks if a page plays a video or a sound. Chrome names the players, including those outside the document.
import type { CDPSession, Protocol } from "puppeteer-core";
import type { Tab } from "./tab.ts";

/** At most this many players of one page are asked. */
const PLAYERS_MAX = 20;
const IS_PLAYING = "function () { return !this.paused && !this.ended; }";
const GROUP = "troupe-players";

/** Asks the page's own process. This is rarely needed, so players are not followed in between. */
export async function isPlaying({ client }: Pick<Tab, "client">): Promise<boolean> {
  const players = await playersIn(client);
  if (players.length === 0) return false;
  try {
    const answers = await Promise.all(players.slice(-PLAYERS_MAX).map((node) => plays(client, node)));
    return answers.includes(true);
  } finally {
    await client.send("Runtime.releaseObjectGroup", { objectGroup: GROUP });
  }
}

/** Chrome reports the existing players before it answers. */
async function playersIn(client: CDPSession): Promise<number[]> {
  const nodes: number[] = [];
  const note = ({ player }: Protocol.Media.PlayerCreatedEvent) => {
    if (player.domNodeId !== undefined) nodes.push(player.domNodeId);
  };
  client.on("Media.playerCreated", note);
  try {
    await client.send("Media.enable");
    await client.send("Media.disable");
  } finally {
    client.off("Media.playerCreated", note);
  }
  return nodes;
}

/** An element that is gone cannot be asked, so it counts as not playing. */
async function plays(client: CDPSession, backendNodeId: number): Promise<boolean> {
  try {
    const { object } = await client.send("DOM.resolveNode", { backendNodeId, objectGroup: GROUP });
    if (!object.objectId) return false;
    const { result } = await client.send("Runtime.callFunctionOn", {
      objectId: object.objectId,
      functionDeclaration: IS_PLAYING,
      returnByValue: true,
    });
    return result.value === true;
  } catch {
    return false;
  }
}
