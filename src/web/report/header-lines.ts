// Headers as a list shows them: decoded, with what was sent where that is different, and with the station that wrote it.

import type { TestReport } from "../../api/tests.ts";

export type HeaderLine = {
  readonly index: number;
  readonly name: string;
  /** Decoded, without its folds. */
  readonly value: string;
  /** As sent; null where that is the same. */
  readonly encoded: string | null;
  /** What can be found. */
  readonly shown: string;
  /** A server on the way wrote it. */
  readonly isHop: boolean;
  /** The number of its station in the journey, counted from the first; null where it is none. */
  readonly hop: number | null;
};

const written =
  /^(?:received|x-received|authentication-results|received-spf|arc-[a-z-]+|return-path|delivered-to)$/i;
const station = /^(?:x-)?received$/i;

export function toHeaderLines({
  headers,
  raw_headers,
  delivery_timeline,
}: TestReport): readonly HeaderLine[] {
  const told = headers ?? [];
  const sent = toSent(raw_headers ?? "");
  // Only where both readings see the same fields, one by one.
  const isAlike = sent.length === told.length && told.every(({ name }, at) => sent[at]?.name === name);
  const stations = delivery_timeline?.hops.filter(({ trusted }) => !trusted).length ?? 0;
  let newest = stations;
  return told.map(({ name, value: decoded }, index) => {
    const value = decoded.replace(/\s+/g, " ").trim();
    const raw = isAlike ? (sent[index]?.value ?? value) : value;
    const encoded = /=\?[^?]+\?[bq]\?/i.test(raw) && raw !== value ? raw : null;
    const hop = station.test(name) && newest > 0 ? newest-- : null;
    return {
      ...{ index, name, value, encoded, hop },
      shown: `${name}: ${value}${encoded === null ? "" : ` ${encoded}`}`,
      isHop: written.test(name),
    };
  });
}

function toSent(rawHeaders: string): { readonly name: string; readonly value: string }[] {
  return rawHeaders
    .replace(/\r?\n(?=[ \t])/g, "")
    .split(/\r?\n/)
    .flatMap((line) => {
      const colon = line.indexOf(":");
      if (colon < 1) return [];
      return [
        {
          name: line.slice(0, colon).trim(),
          value: line
            .slice(colon + 1)
            .replace(/\s+/g, " ")
            .trim(),
        },
      ];
    });
}
