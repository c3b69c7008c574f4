// Checks that the database of the sessions answers and takes changes.
import { type Finding, unwell, well } from "../../proto/machine/finding.ts";
import { reasonIn } from "../store/database-errors.ts";

/** Returns no finding if sessions are in the state folder. `store`: as in the configuration. */
export async function storeFindings(store: string): Promise<Finding[]> {
  if (store === "sqlite") return [];
  const { connectTo } = await import("../store/postgres.ts");
  const { host, pathname } = new URL(store);
  const name = `${host}${pathname}`;
  try {
    const client = await connectTo(store);
    try {
      const { rows } = await client.query<{ version: string; is_read_only: boolean }>(LOOK);
      const [{ version, is_read_only: isReadOnly } = { version: "", is_read_only: false }] = rows;
      const found = `PostgreSQL ${version} at ${name}`;
      if (!isReadOnly) return [well("store", `${found} takes changes`)];
      return [
        unwell(
          "store",
          `${found} is read-only`,
          "Name the primary server in `store`, or let it take changes.",
        ),
      ];
    } finally {
      await client.end();
    }
  } catch (error) {
    const mend = "Start the database, or mend the address, user or password in `store` or TROUPE_STORE.";
    return [unwell("store", `${name} does not answer: ${reasonIn(error)}`, mend)];
  }
}

const LOOK = `SELECT current_setting('server_version') AS version,
  pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS is_read_only`;
