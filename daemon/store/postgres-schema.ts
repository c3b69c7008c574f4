// The tables of the store in PostgreSQL, and their migrations.
import type { ClientBase } from "pg";
import { StartupError } from "../core/startup-error.ts";

/**
 * The migrations, oldest first. Each one leads from the version that is its index to the next. A migration that has been
 * released never changes.
 */
const MIGRATIONS = [
  `
  CREATE TABLE pods (
    incarnation uuid PRIMARY KEY, name text NOT NULL, address text, lock_key bigint NOT NULL,
    is_draining boolean NOT NULL DEFAULT false, alive_until timestamptz NOT NULL);
  CREATE TABLE sessions (
    key text PRIMARY KEY, id text NOT NULL, client text NOT NULL, current_role_name text NOT NULL DEFAULT '',
    created_at_ms bigint NOT NULL, used_at_ms bigint NOT NULL, roles text NOT NULL DEFAULT '[]',
    owner uuid, epoch bigint NOT NULL, last_change bigint NOT NULL, written_at timestamptz NOT NULL DEFAULT clock_timestamp());
  CREATE INDEX sessions_owner ON sessions (owner);
  CREATE TABLE parts (
    session text NOT NULL REFERENCES sessions ON DELETE CASCADE, role text NOT NULL, name text NOT NULL,
    epoch bigint NOT NULL, key_id text NOT NULL, data bytea NOT NULL, PRIMARY KEY (session, role, name));
  ALTER TABLE parts ALTER COLUMN data SET STORAGE EXTERNAL;
  `,
  `
  CREATE TABLE journal_calls (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, daemon uuid NOT NULL, at timestamptz NOT NULL, tool text NOT NULL,
    role text NOT NULL, client text NOT NULL, session text NOT NULL, outcome text NOT NULL,
    duration_ms double precision NOT NULL, request_id text NOT NULL, recoverable boolean NOT NULL);
  CREATE INDEX journal_calls_in_time ON journal_calls (at);
  CREATE INDEX journal_calls_of_session ON journal_calls (session, id);
  CREATE INDEX journal_calls_of_client ON journal_calls (client, id);
  CREATE INDEX journal_calls_in_role ON journal_calls (role, id);
  CREATE INDEX journal_calls_failed ON journal_calls (id) WHERE outcome <> 'OK';
  CREATE TABLE journal_episodes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, daemon uuid NOT NULL, at timestamptz NOT NULL, type text NOT NULL,
    role text NOT NULL, client text NOT NULL, session text NOT NULL, tool text NOT NULL, outcome text NOT NULL,
    calls integer NOT NULL);
  CREATE INDEX journal_episodes_in_time ON journal_episodes (at);
  CREATE TABLE journal_approvals (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, daemon uuid NOT NULL, at timestamptz NOT NULL,
    approval text NOT NULL, role text NOT NULL, client text NOT NULL, session text NOT NULL, what text NOT NULL,
    outcome text NOT NULL, decided_by text NOT NULL);
  CREATE INDEX journal_approvals_in_time ON journal_approvals (at);
  CREATE TABLE journal_failures (
    role text NOT NULL, daemon uuid NOT NULL, at timestamptz NOT NULL, key_id text NOT NULL, log bytea NOT NULL,
    PRIMARY KEY (role, daemon));
  CREATE TABLE journal_writers (daemon uuid PRIMARY KEY, batch bigint NOT NULL, at timestamptz NOT NULL);
  CREATE TABLE journal_trimmed (at timestamptz NOT NULL);
  INSERT INTO journal_trimmed VALUES ('-infinity');
  `,
];

/** Two daemons that start together wait here for each other. The number is Troupe's own. */
const MIGRATION_LOCK = 0x74726f75;

const LOOK = `SELECT to_regclass('troupe_version') IS NOT NULL AS is_there,
  current_setting('transaction_read_only') = 'on' AS is_read_only`;

/**
 * Brings the tables to this version. Throws a StartupError if a later version made them. Running it again changes
 * nothing.
 */
export async function migrate(client: ClientBase): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    const { rows: found } = await client.query<{ is_there: boolean; is_read_only: boolean }>(LOOK);
    if (found[0]?.is_read_only) throw new Error("the database is read-only");
    // A user of complete tables needs no right to create any.
    if (!found[0]?.is_there) await client.query("CREATE TABLE troupe_version (version integer NOT NULL)");
    const { rows } = await client.query<{ version: number }>("SELECT version FROM troupe_version");
    const version = rows[0]?.version ?? 0;
    if (version > MIGRATIONS.length) throw laterVersion(version);
    for (const migration of MIGRATIONS.slice(version)) await client.query(migration);
    if (version < MIGRATIONS.length) {
      await client.query("DELETE FROM troupe_version");
      await client.query("INSERT INTO troupe_version VALUES ($1)", [MIGRATIONS.length]);
    }
    await client.query("COMMIT");
  } catch (error) {
    // A broken connection rolls back by itself.
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

function laterVersion(version: number): StartupError {
  return new StartupError(
    "configuration",
    `The database that \`store\` names has tables of a later version (${version}, this one knows ${MIGRATIONS.length})\nRun the newer daemon, or name another database`,
  );
}
