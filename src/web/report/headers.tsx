// The header section as it came: found in, folded, with the lines that servers on the way wrote told apart. Everything here
// may come from a stranger: it is text and nothing else.

import { useMemo, useState } from "preact/hooks";
import type { TestReport } from "../../api/tests.ts";
import { toPlural } from "../client/words.ts";
import { CopyButton } from "../parts/copy.tsx";
import { countIn, FindField, Marked } from "../parts/find.tsx";

/** Longer ones fold. */
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
          placeholder="Find a name or a value"
          word={word}
          onFind={setWord}
          found={
            places === 0
              ? "not found"
              : `${toPlural(places, "place", "places")} in ${toPlural(found.length, "header", "headers")}`
          }
        />
      </div>
      <p class="p-34 small muted rule key">
        <span class="hop-key">Written by servers on the way</span>
        <span>The newest stands on top. All of them are claims until something proves them.</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section class="headers" aria-label="Headers" tabIndex={0}>
        {found.map((line) => (
          <Header key={line.index} line={line} word={wanted} />
        ))}
        {found.length === 0 && <p class="p-34 muted">No header holds that.</p>}
      </section>
    </div>
  );
}

function Header({ line, word }: { readonly line: HeaderLine; readonly word: string }) {
  const { name, value, encoded, hop, isHop } = line;
  const isLong = value.length > longChars;
  // What was found must be seen.
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
              Station {hop}
            </a>
          )}
          <CopyButton text={`${name}: ${encoded ?? value}`} what={`the header ${name}`} />
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
            <span class="label">{value.length} characters</span>
          </summary>
          {value.slice(longChars)}
        </details>
      )}
      {encoded !== null && (
        <div class="small muted">
          <span class="label">As it was sent</span> {encoded}
        </div>
      )}
    </div>
  );
}

// Headers as a list shows them: decoded, with what was sent where that is different, and with the station that wrote it.

type HeaderLine = {
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

function toHeaderLines({ headers, raw_headers, delivery_timeline }: TestReport): readonly HeaderLine[] {
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
