// The records that somebody tries out stand in the address, so that going back, and a link, show the same again.

import type { RecordRow } from "../parts/record-form.tsx";

type Named = { readonly name: string; readonly type: string; readonly value: string };

export function toTryAddress(domainId: string, records: readonly Named[]): string {
  const query = new URLSearchParams(
    records.map(({ name, type, value }) => ["try", `${type} ${name} ${value}`]),
  );
  return `/domains/${domainId}?${query}#what-if`;
}

export function readTried(query: URLSearchParams): readonly RecordRow[] {
  return query.getAll("try").map((text) => {
    const [type = "", name = "", ...value] = text.split(" ");
    return { type, name, value: value.join(" ") };
  });
}
