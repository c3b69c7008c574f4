// Lets the database itself record who writes sessions, by triggers that the daemons know nothing of.
import type { Postgres } from "../harness/servers/postgres.ts";

/** A write is foreign if its daemon does not own the session at that moment, or if its lease has ended. */
const TRIGGERS = `
  CREATE TABLE audit (at timestamptz NOT NULL DEFAULT clock_timestamp(), what text NOT NULL, key text NOT NULL);
  CREATE FUNCTION audit_part() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
  DECLARE owned sessions%ROWTYPE;
  BEGIN
    SELECT * INTO owned FROM sessions WHERE key = NEW.session;
    IF owned.epoch IS DISTINCT FROM NEW.epoch THEN
      INSERT INTO audit (what, key) VALUES ('a part of epoch ' || NEW.epoch || ' in epoch ' || owned.epoch, NEW.session);
    ELSIF NOT EXISTS (SELECT 1 FROM pods WHERE incarnation = owned.owner AND alive_until > clock_timestamp()) THEN
      INSERT INTO audit (what, key) VALUES ('a part after the lease', NEW.session);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER audit_part AFTER INSERT OR UPDATE ON parts FOR EACH ROW EXECUTE FUNCTION audit_part();
  CREATE FUNCTION audit_session() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
  BEGIN
    IF NEW.epoch < OLD.epoch OR (NEW.epoch = OLD.epoch AND NEW.owner IS DISTINCT FROM OLD.owner) THEN
      INSERT INTO audit (what, key) VALUES ('an owner without an epoch of its own', NEW.key);
    ELSIF NEW.epoch = OLD.epoch AND NEW.owner IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM pods WHERE incarnation = NEW.owner AND alive_until > clock_timestamp()) THEN
      INSERT INTO audit (what, key) VALUES ('a session after the lease', NEW.key);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER audit_session AFTER UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION audit_session();
`;

/** Begins the audit of a database whose tables are there. */
export async function beginAudit(postgres: Postgres, url: string): Promise<void> {
  await postgres.ask(TRIGGERS, undefined, url);
}

/** Returns the foreign writes. */
export async function foreignWrites(postgres: Postgres, url: string): Promise<string[]> {
  const rows = await postgres.ask<{ what: string; key: string }>(
    "SELECT what, key FROM audit ORDER BY at",
    [],
    url,
  );
  return rows.map(({ what, key }) => `${key}: ${what}`);
}
