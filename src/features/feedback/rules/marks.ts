// What members said of senders. A network may get a name later, and what was said of it stays.

import { toNetworkKey } from "../../../analyzer/senders/name-sender.ts";

type Addressed = { readonly sourceIp: string | null };

/** `rows`: what the sender sent. */
export function findMark<Mark>(
  marks: ReadonlyMap<string, Mark>,
  key: string,
  rows: readonly Addressed[],
): Mark | undefined {
  if (marks.size === 0 || marks.has(key)) return marks.get(key);
  const networks = new Set(rows.map(({ sourceIp }) => toNetworkKey(sourceIp) ?? ""));
  const [first = ""] = networks;
  return networks.size === 1 ? marks.get(first) : undefined;
}
