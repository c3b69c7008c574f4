// Checks that the client that made a link could make it now. Its token or its rights may be gone.
import type { Admission } from "../admission/admission.ts";
import { clientOf } from "../admission/client.ts";
import { denied, mayControl, roleFor } from "../admission/rights.ts";
import type { Invitation } from "./links.ts";

/** Throws UNAUTHENTICATED or PERMISSION_DENIED if it could not, and UNKNOWN_ROLE if the role is no more. */
export function checkMaker(
  { key, role, maker }: Invitation,
  admission: Pick<Admission, "again">,
  roles: readonly string[],
): void {
  const client = admission.again(maker);
  if (clientOf(key) !== client.name && !mayControl(client, "write"))
    throw denied(
      "taking over a session of another client",
      `It takes the right control: write; this client has control: ${client.control}.`,
    );
  roleFor(client, role, roles);
}
