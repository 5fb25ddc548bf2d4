// The records that somebody tries out stand in the address, so that going back, and a link, show the same again.

import type { RecordRow } from "../parts/record-form.tsx";

/** A line each: the server takes every name of a query once. */
export function toTryAddress(domainId: string, records: readonly RecordRow[]): string {
  const lines = records.map(({ name, type, value }) => `${type} ${name} ${value}`);
  return `/domains/${domainId}?${new URLSearchParams({ try: lines.join("\n") })}#what-if`;
}

export function readTried(query: URLSearchParams): readonly RecordRow[] {
  const lines = (query.get("try") ?? "").split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const [type = "", name = "", ...value] = line.split(" ");
    return { type, name, value: value.join(" ") };
  });
}
