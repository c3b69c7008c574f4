// Carries files that are too large for a message between this process and a session in the daemon.
import { PART_BYTES, TRANSFER_MS_MAX } from "../../proto/wire/file-bounds.ts";
import type { Connection, RpcOptions } from "../connection/connection.ts";
import type { Transfer } from "../files/with-files.ts";

export interface TransferParts {
  connection(): Promise<Connection>;
  options: RpcOptions;
  /** Turns a failure on this connection into the error for the caller. */
  judged(caught: unknown, connection: Connection): unknown;
}

export function fileTransfer({ connection: connected, options: given, judged }: TransferParts): Transfer {
  const options = { ...given, deadlineMs: TRANSFER_MS_MAX };
  return {
    async put(name, parts) {
      const connection = await connected();
      try {
        return (await connection.upload("Browser", "PutFile", messages(name, parts), options)).id;
      } catch (caught) {
        throw judged(caught, connection);
      }
    },
    async *get(id) {
      const connection = await connected();
      try {
        for await (const { chunk } of connection.stream("Browser", "GetFile", { id }, options))
          if (chunk) yield chunk;
      } catch (caught) {
        throw judged(caught, connection);
      }
    },
  };
}

async function* messages(name: string, parts: AsyncIterable<Uint8Array>) {
  yield { header: { name } };
  for await (const part of parts)
    for (let at = 0; at < part.length; at += PART_BYTES)
      yield { chunk: Buffer.from(part.subarray(at, at + PART_BYTES)) };
}
