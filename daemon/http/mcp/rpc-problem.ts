// A refused MCP request: a JSON-RPC error with the plan for a model and the error for programs.
import { type ErrorDetail, fail, type TroupeError } from "../../../proto/errors/catalogue.ts";
import { planText } from "../../../proto/plans/plan-text.ts";
import type { Profile } from "../../../proto/tools/read-tools.ts";
import { Problem, type ProblemAnswer, retryAfter } from "../problem.ts";

export const RPC = {
  parseError: -32_700,
  invalidRequest: -32_600,
  refused: -32_000,
  sessionNotFound: -32_001,
  headerMismatch: -32_020,
} as const;

export type Id = string | number | null;

export class RpcProblem extends Problem {
  readonly #code: number;
  readonly #id: Id;

  constructor(status: number, code: number, error: TroupeError, id: Id = null) {
    super(status, error);
    this.name = "RpcProblem";
    this.#code = code;
    this.#id = id;
  }

  override answer(error: ErrorDetail, profile: Profile): ProblemAnswer {
    const data = { text: planText(error, profile), error };
    const json = {
      jsonrpc: "2.0",
      error: { code: this.#code, message: error.message, data },
      id: this.#id,
    };
    return {
      headers: { "content-type": "application/json", ...retryAfter(error) },
      body: Buffer.from(JSON.stringify(json)),
    };
  }
}

const BY_HAND =
  "The program that sent the request put it together by hand, or something on its way changed it";

/** Makes the error of a request that is not as the protocol has it. `hint`: the correction in words. */
export function wrong(argument: string, problem: string, hint: string, likelyCause = BY_HAND): TroupeError {
  return fail("INVALID_ARGUMENT", { argument, problem, hint, likelyCause });
}
