// Finds the row of a table that matches an address.

import type { WebAddress } from "./web-address.ts";

export type AddressPattern = {
  /** The host is one of these or a subdomain of one. Without it: any host. */
  readonly hosts?: readonly string[];
  /** Matches path and query together, from the beginning, so that it is tried at one place only. */
  readonly path?: RegExp;
};

type Finder<Row> = (address: WebAddress) => Row | undefined;

/** Rows with hosts are found by host and come first. Only the others are tried one by one. */
export function createFinder<Row extends AddressPattern>(rows: readonly Row[]): Finder<Row> {
  const byHost = new Map<string, Row[]>();
  for (const row of rows) for (const host of row.hosts ?? []) byHost.set(host, [...(byHost.get(host) ?? []), row]);
  const others = rows.filter(({ hosts }) => hosts === undefined);
  const isOther = createUnion(others.map(({ path }) => path ?? /^/));
  return ({ host, domains, path, query }) => {
    if (host === null) return undefined;
    const target = path + query;
    const isPath = (row: Row) => row.path === undefined || row.path.test(target);
    for (const name of domains) {
      const row = byHost.get(name)?.find(isPath);
      if (row) return row;
    }
    return isOther(target) ? others.find(isPath) : undefined;
  };
}

/**
 * Tests whether any pattern matches. One expression is several times as fast as many, and most addresses match none.
 */
function createUnion(patterns: readonly RegExp[]): (text: string) => boolean {
  const unions = [...Map.groupBy(patterns, ({ flags }) => flags)].map(
    ([flags, alike]) => new RegExp(alike.map(({ source }) => source).join("|"), flags),
  );
  return (text) => unions.some((union) => union.test(text));
}

type Table = { has(name: string): boolean };

/** The host or a parent domain that is in the table. */
export function findDomain(host: string, table: Table): string | null {
  for (let name: string | null = host; name !== null; name = parentOf(name)) if (table.has(name)) return name;
  return null;
}

/** The same for domains that were split before. */
export function findAmong(domains: readonly string[], table: Table): string | null {
  return domains.find((name) => table.has(name)) ?? null;
}

/** The host and its parent domains. */
export function domainsOf(host: string): string[] {
  const domains: string[] = [];
  for (let name: string | null = host; name !== null; name = parentOf(name)) domains.push(name);
  return domains;
}

function parentOf(name: string): string | null {
  const dot = name.indexOf(".");
  return dot < 0 ? null : name.slice(dot + 1);
}

// Finds merge tags that were not replaced: `{{first_name}}`, `*|FNAME|*`, `%%name%%`, `<%= name %>`, `{% if %}`,
// `${name}`, `[[name]]`. Content that could be ordinary text must look like a name.

const marks = new RegExp(
  [
    String.raw`\{\{[^{}\n]{1,80}\}\}`,
    String.raw`\*\|[^|\n]{1,60}\|\*`,
    String.raw`%%[A-Za-z_]\w{0,60}%%`,
    String.raw`<%[^%\n]{0,80}%>`,
    String.raw`\{%[^%\n]{1,80}%\}`,
    String.raw`\$\{[A-Za-z_][\w.]{0,60}\}`,
    String.raw`\[\[[A-Za-z_][\w .:|-]{0,60}\]\]`,
  ].join("|"),
  "g",
);

/** How they begin. Most texts contain none, and this test is enough. */
const beginning = /\{[{%]|\*\||%%|<%|\$\{|\[\[/;

/** Each once, in order, at most `max`. */
export function templateMarksIn(text: string, max: number): string[] {
  const found = new Set<string>();
  if (!beginning.test(text)) return [];
  for (const [mark] of text.matchAll(marks)) {
    found.add(mark);
    if (found.size >= max) break;
  }
  return [...found];
}

export const unnamedTracker = "unnamed";
