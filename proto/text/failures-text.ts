// Writes a role's failure log as text for a person or a model.
import type { FailureLog, FrameInjectionFailure } from "../gen/troupe.ts";
import { redactedText } from "./redact.ts";

/** Writes one line a failure, under one title a kind. */
export function failuresText(role: string, log: FailureLog | null | undefined): string {
  const parts = log ? sections(log) : [];
  if (parts.length === 0) return `No failures recorded for role ${role}`;
  return [`Failures of role ${role} (times in UTC):`, ...parts].join("\n\n");
}

function sections(log: FailureLog): string[] {
  const { frameDiscoveryError: discovery, authLoadError: auth } = log;
  return [
    section("Login", auth ? [`${when(auth)} could not be loaded from ${auth.authPath}: ${auth.error}`] : []),
    section(
      "Crashes, hangs and restarts",
      log.incidents.map((each) => `${when(each)} ${each.kind}: ${each.error}`),
    ),
    section("Frames that could not be entered", log.frameInjectionFailures.map(frameLine)),
    section(
      "Frames whose content could not be shown",
      log.frameExpansionFailures.map(
        (each) =>
          `${when(each)} ${each.ref}${each.detached ? " (detached)" : ""}: ${each.error}${past(each)}`,
      ),
    ),
    section("Frames could not be found", discovery ? [`${when(discovery)} ${discovery.error}`] : []),
    section(
      "Not put away",
      log.cleanupErrors.map((each) => `${when(each)} ${each.step}: ${each.error}`),
    ),
  ].filter(Boolean);
}

function frameLine(each: FrameInjectionFailure): string {
  const frame = each.isMainFrame ? "main frame" : each.frameId;
  return `${when(each)} ${frame}${each.url ? ` ${each.url}` : ""} (${each.reason}): ${each.error}${past(each)}`;
}

function section(title: string, lines: string[]): string {
  return lines.length > 0 ? [`${title}:`, ...lines.map((line) => `- ${redactedText(line)}`)].join("\n") : "";
}

function past({ current }: { current: boolean }): string {
  return current ? "" : " [an earlier page]";
}

/** Formats a time as `2026-01-02 03:04:05`. */
function when({ timestamp }: Pick<FrameInjectionFailure, "timestamp">): string {
  const seconds = Number(timestamp?.seconds ?? 0);
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
}
