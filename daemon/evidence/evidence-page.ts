// The queries for a page of a session's evidence. Each costs what the page shows, and not what the session has.
import { IN_ROLES, rolesValue } from "./evidence-file.ts";

/** Which calls are read. */
export interface PageFilter {
  /** The session's key. */
  session: string;
  /** Undefined for all, also those that the configuration no longer has. */
  roles: readonly string[] | undefined;
  /** The `next` of the page before; empty for the first one. */
  after: string;
  /** One call's evidence alone. */
  id?: string | undefined;
  newestFirst: boolean;
}

/** A query for the calls of the page, each with the number of its first part. */
interface Query {
  sql: string;
  values: Record<string, string | number>;
}

/** A picture with more bytes has an image, and no reason for a missing one. A list needs to know no more. */
const REASON_BYTES_MAX = 4_096;
const ALL = "SELECT * FROM evidence WHERE session = ? AND call = ?";
const LISTED = `
  SELECT session, part, key_id, at_ms, CASE WHEN part = 'picture' AND length(data) > ${REASON_BYTES_MAX}
    THEN NULL ELSE data END AS data
  FROM evidence WHERE session = ? AND call = ?`;

/** Returns the query for the parts of a call. A list leaves out the bytes of pictures. */
export function partsQuery(isBrief: boolean): string {
  return isBrief ? LISTED : ALL;
}

/** Returns a query for each role that is asked for, or one for all. The page has the first ones of all results. */
export function pageQueries(filter: PageFilter, limit: number): Query[] {
  const { session, roles, id } = filter;
  if (id) return [{ sql: ONE, values: { session, id, roles: rolesValue(roles) } }];
  if (!roles) return [pageQuery(filter, undefined, limit)];
  return roles.map((role) => pageQuery(filter, role, limit));
}

/** Returns the query for the calls in a role, or in all. */
function pageQuery(
  { session, after, newestFirst }: PageFilter,
  role: string | undefined,
  limit: number,
): Query {
  const begin = newestFirst ? Number.MAX_SAFE_INTEGER : 0;
  const from = /^\d{1,15}$/.test(after) ? Number(after) : begin;
  const [index, inRole] =
    role === undefined ? ["evidence_in_order", ""] : ["evidence_in_role", "AND role = :role"];
  const [beyond, order] = newestFirst ? ["<", "DESC"] : [">", "ASC"];
  const sql = `
    SELECT call, id AS first FROM evidence AS part INDEXED BY ${index}
    WHERE session = :session ${inRole} AND id ${beyond} :from AND NOT EXISTS (
      SELECT 1 FROM evidence AS other INDEXED BY evidence_of_session
      WHERE other.session = part.session AND other.call = part.call AND other.id < part.id)
    ORDER BY id ${order} LIMIT :limit`;
  return { sql, values: { session, from, limit, ...(role !== undefined && { role }) } };
}

const ONE = `
  SELECT call, min(id) AS first FROM evidence INDEXED BY evidence_of_session
  WHERE session = :session AND call = :id AND ${IN_ROLES}
  GROUP BY call`;
