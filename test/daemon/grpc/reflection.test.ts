import assert from "node:assert/strict";
import { once } from "node:events";
import path from "node:path";
import { test } from "node:test";
import { Client, credentials, Server, ServerCredentials, status } from "@grpc/grpc-js";
import { addReflection } from "../../../daemon/grpc/reflection.ts";
import { startProgram } from "../../harness/program.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const DAEMON = path.join(import.meta.dirname, "../../../daemon/daemon.ts");
const PACKAGES = `
  await import(${JSON.stringify(DAEMON)});
  const { createRequire } = await import("node:module");
  const loaded = Object.keys(createRequire(${JSON.stringify(DAEMON)}).cache);
  console.log(loaded.length, loaded.filter((file) => file.includes("@grpc/reflection")).length);
`;
/** ServerReflectionRequest{list_services: ""} */
const LIST = Buffer.from([0x3a, 0]);
const same = (bytes: Buffer) => bytes;

test("the daemon's modules do not load reflection", async () => {
  await using program = startProgram(["--input-type=module", "-e", PACKAGES]);
  const { out, err } = await program.ended;
  assert.match(out, /^[1-9]\d* 0\n$/, err);
});

for (const version of ["v1", "v1alpha"])
  test(`${version} answers several questions in order, and refuses one that is malformed`, async () => {
    using temp = tempDir();
    const target = `unix:${path.join(temp.dir, "s.sock")}`;
    const server = new Server();
    addReflection(server);
    await new Promise((bound) => server.bindAsync(target, ServerCredentials.createInsecure(), bound));
    const client = new Client(target, credentials.createInsecure());
    const ask = () =>
      client.makeBidiStreamRequest(
        `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
        same,
        same,
      );
    try {
      const stream = ask();
      const replies: string[] = [];
      stream.on("data", (reply: Buffer) => replies.push(reply.toString("latin1")));
      stream.write(LIST);
      stream.end(LIST);
      await once(stream, "end");
      assert.equal(replies.length, 2);
      assert.match(replies[0] ?? "", /troupe\.v1\.Browser/);
      const malformed = ask();
      malformed.end(Buffer.from([0xff]));
      malformed.resume();
      const [error] = await once(malformed, "error");
      assert.equal(error.code, status.INVALID_ARGUMENT);
    } finally {
      client.close();
      server.forceShutdown();
    }
  });
