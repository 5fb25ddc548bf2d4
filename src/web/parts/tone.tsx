// How bad something is: always a shape and a word, and a colour beside them.

import type { ComponentChildren } from "preact";
import { type Tone, toneWords } from "../../api/plain-words.ts";
import { Icon, type IconName } from "./icon.tsx";

export type { Tone };

/** The worst first. */
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

// A verdict's word (RFC 8601) with its tone, and the way from one to another.

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

/** A word that is no verdict stands as it is. */
export function ResultWord({ word }: { readonly word: string | null }) {
  if (word === null) return <Severity tone="unknown">not known</Severity>;
  const tone = resultTones[word];
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
