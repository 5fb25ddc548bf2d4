// The headers as received, searchable, with long values folded and lines from servers on the way marked. They come from
// strangers, so they are only shown as text.

import { useMemo, useState } from "preact/hooks";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import { toPlural } from "../client/words.ts";
import { CopyButton } from "../parts/copy.tsx";
import { countIn, FindField, Marked } from "../parts/find.tsx";

/** Longer values are folded. */
const longChars = 240;

export function Headers({ test }: { readonly test: TestReport }) {
  const [word, setWord] = useState("");
  const lines = useMemo(() => toHeaderLines(test), [test.headers, test.raw_headers]);
  const wanted = word.trim();
  const found = useMemo(
    () => lines.filter(({ shown }) => wanted === "" || countIn(shown, wanted) > 0),
    [lines, wanted],
  );
  const places = found.reduce((sum, { shown }) => sum + countIn(shown, wanted), 0);
  return (
    <div class="card flush">
      <div class="p-34 rule row between">
        <h3>{toPlural(lines.length, "header", "headers")}</h3>
        <FindField
          where="in the headers"
          placeholder="Find in headers"
          word={word}
          onFind={setWord}
          found={
            places === 0
              ? "No matches"
              : `${toPlural(places, "match", "matches")} in ${toPlural(found.length, "header", "headers")}`
          }
        />
      </div>
      <p class="p-34 small muted rule key">
        <span class="hop-key">Added in transit</span>
        <span>Newest first. Headers can be forged.</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <section class="headers" aria-label="Headers" tabIndex={0}>
        {found.map((line) => (
          <Header key={line.index} line={line} word={wanted} />
        ))}
        {found.length === 0 && <p class="p-34 muted">No matching headers.</p>}
      </section>
    </div>
  );
}

function Header({ line, word }: { readonly line: HeaderLine; readonly word: string }) {
  const { name, value, encoded, hop, isHop } = line;
  const isLong = value.length > longChars;
  // A match in the folded part opens it.
  const isOpen = !isLong || (word !== "" && countIn(value.slice(longChars), word) > 0);
  return (
    <div class={isHop ? "h hop" : "h"}>
      <div class="row between nowrap-r">
        <b>
          <Marked text={name} word={word} />
        </b>
        <span class="row">
          {hop !== null && (
            <a class="small" href={`#hop-${hop}`}>
              Hop {hop}
            </a>
          )}
          <CopyButton text={`${name}: ${encoded ?? value}`} what={`the ${name} header`} />
        </span>
      </div>
      {isOpen ? (
        <div>
          <Marked text={value} word={word} />
        </div>
      ) : (
        <details>
          <summary>
            <Marked text={value.slice(0, longChars)} word={word} /> …{" "}
            <span class="label">{toPlural(value.length, "character", "characters")}</span>
          </summary>
          {value.slice(longChars)}
        </details>
      )}
      {encoded !== null && (
        <div class="small muted">
          <span class="label">As sent</span> {encoded}
        </div>
      )}
    </div>
  );
}

// The headers as listed: decoded, with the raw value if it differs, and the hop that added them.

type HeaderLine = {
  readonly index: number;
  readonly name: string;
  /** Decoded and unfolded. */
  readonly value: string;
  /** The value as sent. Null if decoding changed nothing. */
  readonly encoded: string | null;
  /** The text that search looks in. */
  readonly shown: string;
  /** Added by a server on the way. */
  readonly isHop: boolean;
  /** Number of the hop in the journey, counted from the first. Null for other headers. */
  readonly hop: number | null;
};

const written = /^(?:received|x-received|authentication-results|received-spf|arc-[a-z-]+|return-path|delivered-to)$/i;
const hopHeader = /^(?:x-)?received$/i;

function toHeaderLines({ headers, raw_headers, delivery_timeline }: TestReport): readonly HeaderLine[] {
  const decodedHeaders = headers ?? [];
  const sent = toSent(raw_headers ?? "");
  // Raw values are only used if both lists have the same fields in the same order.
  const isAlike =
    sent.length === decodedHeaders.length && decodedHeaders.every(({ name }, at) => sent[at]?.name === name);
  const hops = delivery_timeline?.hops.filter(({ trusted }) => !trusted).length ?? 0;
  let newest = hops;
  return decodedHeaders.map(({ name, value: decoded }, index) => {
    const value = decoded.replace(/\s+/g, " ").trim();
    const raw = isAlike ? (sent[index]?.value ?? value) : value;
    const encoded = /=\?[^?]+\?[bq]\?/i.test(raw) && raw !== value ? raw : null;
    const hop = hopHeader.test(name) && newest > 0 ? newest-- : null;
    return {
      index,
      name,
      value,
      encoded,
      hop,
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
