// The kinds of failures that a role records, as the wire and the metrics name them.

/** What went wrong: one list of the failure log each. */
export const WARNING_KINDS = [
  "frame_injection",
  "frame_expansion",
  "frame_discovery",
  "auth_load",
  "cleanup",
  "incident",
] as const;
export type WarningKind = (typeof WARNING_KINDS)[number];

/** Why a frame could not be reached. */
export const FRAME_REASONS = ["cross-origin", "detached", "timeout", "unknown"] as const;
export type FrameReason = (typeof FRAME_REASONS)[number];
