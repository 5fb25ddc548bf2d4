// Finds the email service that sent a message. Header fields come first, because they name the product. Then come the return
// path, the reverse DNS name and the signing domains.

import type { MessageHeader } from "../mail/mime/message.ts";
import espTable from "./esp.json" with { type: "json" };

/**
 * A service that sends mail for others, with the header fields and domains (return path, reverse DNS, signature) that
 * identify it. Mailbox providers are left out, because people write through those. Proton adds its field to stored mail, and
 * KMail adds X-KMail- fields of an email client.
 */
type EspRow = {
  readonly name: string;
  /** True if it mostly sends for its customers' software; false if it mostly sends campaigns. */
  readonly transactional: boolean;
  /** `x-name`; `x-family-*`; or `name: part of its value`. Lower case. */
  readonly headers?: readonly string[];
  /** Including all subdomains. `#` matches a number. */
  readonly domains?: string;
};

/** The first matching row wins, so a service's campaigns come before the rest of it. */
export const espRows: readonly EspRow[] = espTable;

type SendingMarks = {
  readonly headers: readonly MessageHeader[];
  /** Best first: return path, confirmed reverse DNS names, signatures. */
  readonly domains: readonly string[];
};

type Mark = { readonly row: EspRow; readonly rank: number; readonly part: string | null };

const byField = new Map<string, Mark[]>();
const byDomain = new Map<string, EspRow>();

for (const [rank, row] of espRows.entries()) {
  for (const written of row.headers ?? []) {
    const [key = "", part = null] = written.split(": ", 2);
    byField.set(key, [...(byField.get(key) ?? []), { row, rank, part }]);
  }
  for (const domain of row.domains?.split(" ") ?? []) if (!byDomain.has(domain)) byDomain.set(domain, row);
}

export function findEsp({ headers, domains }: SendingMarks): EspRow | null {
  let best: Mark | null = null;
  for (const header of headers)
    for (const mark of marksOf(header)) if (best === null || mark.rank < best.rank) best = mark;
  if (best !== null) return best.row;
  for (const domain of domains) {
    const row = espOfDomain(domain);
    if (row !== null) return row;
  }
  return null;
}

const maxValueLength = 500;

function marksOf({ key, value }: MessageHeader): Mark[] {
  const familyEnd = key.indexOf("-", 2) + 1;
  const family = familyEnd > 0 ? byField.get(`${key.slice(0, familyEnd)}*`) : undefined;
  const own = byField.get(key);
  if (own === undefined && family === undefined) return [];
  const marks = [...(own ?? []), ...(family ?? [])];
  const text = value.slice(0, maxValueLength).toLowerCase();
  return marks.filter(({ part }) => part === null || text.includes(part));
}

export function espOfDomain(domain: string): EspRow | null {
  return findByDomain(domain, byDomain);
}

/** By the domain or a parent domain. `#` in `rows` matches a number. */
export function findByDomain<Row>(domain: string, rows: ReadonlyMap<string, Row>): Row | null {
  const labels = domain.toLowerCase().split(".").slice(-maxLabels);
  for (let begin = 0; begin < labels.length - 1; begin++) {
    const name = labels.slice(begin).join(".");
    const row = rows.get(name) ?? rows.get(name.replace(/\d+/g, "#"));
    if (row) return row;
  }
  return null;
}

const maxLabels = 6;
