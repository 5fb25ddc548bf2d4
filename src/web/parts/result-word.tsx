// A verdict's word (RFC 8601) with its tone, and the way from one to another.

import { Icon } from "./icon.tsx";
import { Severity, type Tone } from "./tone.tsx";

const tones: Readonly<Record<string, Tone>> = {
  pass: "good",
  fail: "critical",
  softfail: "major",
  permerror: "major",
  policy: "major",
  neutral: "minor",
  none: "info",
  temperror: "unknown",
};

/** A word that is no verdict stands as it is. */
export function ResultWord({ word }: { readonly word: string | null }) {
  if (word === null) return <Severity tone="unknown">not known</Severity>;
  const tone = tones[word];
  return tone === undefined ? <span>{word}</span> : <Severity tone={tone}>{word}</Severity>;
}

/** From left to right, and in words for those who do not see the arrow. */
export function Arrow() {
  return (
    <span class="to">
      <Icon name="chev" />
      <span class="vh"> to </span>
    </span>
  );
}
