// Which row of a table an address fits.

import type { WebAddress } from "./web-address.ts";

export type AddressPattern = {
  /** The host is one of these or lies below one; none: any host. */
  readonly hosts?: readonly string[];
  /** Of path and query together, from the beginning, so that it is tried at one place only. */
  readonly path?: RegExp;
};

type Finder<Row> = (address: WebAddress) => Row | undefined;

/** Rows that name hosts are found by the host and go first; only the others are tried one by one. */
export function createFinder<Row extends AddressPattern>(rows: readonly Row[]): Finder<Row> {
  const byHost = new Map<string, Row[]>();
  for (const row of rows)
    for (const host of row.hosts ?? []) byHost.set(host, [...(byHost.get(host) ?? []), row]);
  const others = rows.filter(({ hosts }) => hosts === undefined);
  return (address) => {
    if (address.host === null) return undefined;
    const target = address.path + address.query;
    const isPath = ({ path }: Row) => path === undefined || path.test(target);
    for (let name: string | null = address.host; name !== null; name = parentOf(name)) {
      const row = byHost.get(name)?.find(isPath);
      if (row) return row;
    }
    return others.find(isPath);
  };
}

/** The host or one of the domains above it that stands in the table. */
export function findDomain(host: string, table: { has(name: string): boolean }): string | null {
  for (let name: string | null = host; name !== null; name = parentOf(name)) if (table.has(name)) return name;
  return null;
}

function parentOf(name: string): string | null {
  const dot = name.indexOf(".");
  return dot < 0 ? null : name.slice(dot + 1);
}
