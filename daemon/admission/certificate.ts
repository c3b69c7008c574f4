// Reads the client's name from its certificate.
import type { PeerCertificate } from "node:tls";

/** Returns the common name, else the first alternative name, else an empty string. */
export function nameIn({
  subject,
  subjectaltname,
}: Pick<PeerCertificate, "subject" | "subjectaltname">): string {
  const common: unknown = subject?.CN;
  // A subject may have several common names. The most specific one stands last.
  const name = Array.isArray(common) ? common.at(-1) : common;
  if (name) return String(name);
  const [, alternative = ""] = /^(?:DNS|email|URI):([^,]*)/i.exec(subjectaltname ?? "") ?? [];
  return alternative;
}
