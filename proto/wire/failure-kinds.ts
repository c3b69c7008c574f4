// The kinds of failures that a role records, as the wire and the metrics name them.

/** The kinds of failures. Each has a list in the failure log. */
export const WARNING_KINDS = [
  "frame_injection",
  "frame_expansion",
  "frame_discovery",
  "auth_load",
  "cleanup",
  "incident",
] as const;
export type WarningKind = (typeof WARNING_KINDS)[number];

/** The reasons why a frame could not be reached. */
export const FRAME_REASONS = ["cross-origin", "detached", "timeout", "unknown"] as const;
export type FrameReason = (typeof FRAME_REASONS)[number];
