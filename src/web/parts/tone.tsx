// Severity: always a shape and a word in addition to the color.

import type { ComponentChildren } from "preact";
import { type Tone, toneWords } from "../../analyzer/words/plain-words.ts";
import { Icon, type IconName } from "./icon.tsx";

export { type Tone, toneWords };

/** Worst first. */
export const tones = Object.keys(toneWords) as readonly Tone[];

type ToneProps = { readonly tone: Tone; readonly icon?: IconName; readonly children?: ComponentChildren };

export function Severity({ tone, icon = tone, children = toneWords[tone] }: ToneProps) {
  return (
    <span class={`sev ${tone}`}>
      <Icon name={icon} /> {children}
    </span>
  );
}

export function Badge({ tone, icon = tone, children = toneWords[tone] }: ToneProps) {
  return (
    <span class={`chip ${tone}`}>
      <Icon name={icon} />
      {children}
    </span>
  );
}

// Authentication results (RFC 8601) with their tone, and an arrow for changes.

const resultTones: Readonly<Record<string, Tone>> = {
  pass: "good",
  fail: "critical",
  softfail: "major",
  permerror: "major",
  policy: "major",
  neutral: "minor",
  none: "info",
  temperror: "unknown",
};

/** Other words are shown as they are. */
export function ResultWord({ word }: { readonly word: string | null }) {
  if (word === null) return <Severity tone="unknown">unknown</Severity>;
  const tone = resultTones[word];
  return tone === undefined ? <span>{word}</span> : <Severity tone={tone}>{word}</Severity>;
}

/** An arrow from left to right, with a word for screen readers. */
export function Arrow() {
  return (
    <span class="to">
      <Icon name="chev" />
      <span class="vh"> to </span>
    </span>
  );
}
