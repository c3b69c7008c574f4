// The exports of `troupe`.
/// <reference types="node" preserve="true" />
export type { Candidate, ErrorCategory, ErrorDetail, ErrorType, Step } from "../../proto/errors/catalogue.ts";
export type {
  Call,
  FailureLog,
  GetStatusResponse,
  PageInfo,
  Role,
  SnapshotUpdate,
  WatchEventsResponse,
} from "../../proto/gen/troupe.ts";
export type { Profile } from "../../proto/tools/read-tools.ts";
export type { Reply } from "../../proto/wire/reply.ts";
export { CallError as TroupeError } from "../connection/call-error.ts";
export { type ConnectOptions, connect } from "./connect.ts";
export type { FilePlace, FileUploadArguments, GivenFile } from "./files.ts";
export type { SessionSettings } from "./session-settings.ts";
export type { CallOptions, ToolArguments, ToolMethods, ToolReply } from "./tool-methods.ts";
export type { TroupeClient } from "./troupe-client.ts";
export type { TroupeSession, WatchFilter } from "./typed-session.ts";
