// Adds /mcp to the HTTP door. The SDK is loaded with the first request, because it takes long and few daemons need it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Admission } from "../../admission/admission.ts";
import { type Admitted, clientCheck } from "../client-check.ts";
import type { HttpPath } from "../http-server.ts";
import { route } from "../route.ts";
import type { McpDoor, McpParts } from "./mcp.ts";

export class McpRoute implements HttpPath, AsyncDisposable {
  readonly #parts: McpParts;
  readonly #admitted: Admitted;
  /** One for all addresses, so that a client finds its session at each of them. */
  #door: Promise<McpDoor> | undefined;

  constructor(parts: McpParts & { admission: Admission }) {
    this.#parts = parts;
    this.#admitted = clientCheck(parts.admission);
  }

  /** Adds the path to an address. It has a scope of its own there, because it parses bodies itself. */
  addTo(app: FastifyInstance): void {
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      this.#door ??= this.#opened();
      return await (await this.#door).answer(request, reply);
    };
    void app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      const asIs = async (_request: FastifyRequest, body: Buffer) => body;
      scope.addContentTypeParser("application/json", { parseAs: "buffer" }, asIs);
      route(scope, "/mcp", this.#admitted.check, { GET: answer, POST: answer, DELETE: answer });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#door)?.[Symbol.asyncDispose]();
  }

  async #opened(): Promise<McpDoor> {
    const { McpDoor } = await import("./mcp.ts");
    return new McpDoor(this.#parts, this.#admitted);
  }
}
