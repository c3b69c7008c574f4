// The form of an entry in the catalogue of errors.
import type { Candidate, FailedCall, Step } from "../steps/step.ts";

export type ErrorCategory =
  | "VALIDATION"
  | "EXECUTION"
  | "TIMEOUT"
  | "POLICY"
  | "CONNECTION"
  | "DEBUGGER"
  | "CRASH"
  | "CAPACITY"
  | "UNKNOWN";

/** The gRPC status codes that errors use (google.rpc.Code). */
export const GRPC_CODE = {
  CANCELLED: 1,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;
export type GrpcCode = keyof typeof GRPC_CODE;

/** One type of the catalogue. `Data` is the data of a case. Functions are pure. */
export interface ErrorEntry<Data> {
  title: string;
  /** A case as the code raises it, for tests and documents. */
  example: Data;
  category: ErrorCategory;
  code: GrpcCode | ((data: Data) => GrpcCode);
  /** Following the steps to the letter does what the call was meant to do. */
  recoverable: boolean | ((data: Data) => boolean);
  /** True, or a sentence that says when, if the error is often normal. False: it should not have happened. */
  expected: boolean | string | ((data: Data) => boolean | string);
  /** The message for a program's log. */
  message(data: Data, call: FailedCall): string;
  /** The facts that head the text: label and value. */
  facts?(data: Data, call: FailedCall): [label: string, value: string][];
  /** The reason in the text. Default: the message. */
  why?(data: Data, call: FailedCall): string;
  causes(data: Data, call: FailedCall): string[];
  steps(data: Data, call: FailedCall): Step[];
  candidates?(data: Data): readonly Candidate[];
  retry?(data: Data): { afterMs: number; sameCall: boolean } | undefined;
  /** For this long after the fault first appeared, its plan stays the same: it may pass by itself. Default: 0. */
  patienceMs?: number;
  /** Further plans, each for the case that the plans before it were tried in vain. `data`: as it was delivered. */
  otherwise?(data: Data, call: FailedCall): Step[][];
  /** The person or setting that is needed when no plan is left. `data`: as it was delivered. */
  lastly?(data: Data, call: FailedCall): string;
}
