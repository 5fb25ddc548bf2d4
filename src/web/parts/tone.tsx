// How bad something is: always a shape and a word, and a colour beside them.

import type { ComponentChildren } from "preact";
import { type Tone, toneWords } from "../../api/plain-words.ts";
import { Icon, type IconName } from "./icon.tsx";

export type { Tone };

/** The worst first. */
export const tones = Object.keys(toneWords) as readonly Tone[];

type Shown = { readonly tone: Tone; readonly icon?: IconName; readonly children?: ComponentChildren };

export function Severity({ tone, icon = tone, children = toneWords[tone] }: Shown) {
  return (
    <span class={`sev ${tone}`}>
      <Icon name={icon} /> {children}
    </span>
  );
}

export function Badge({ tone, icon = tone, children = toneWords[tone] }: Shown) {
  return (
    <span class={`chip ${tone}`}>
      <Icon name={icon} />
      {children}
    </span>
  );
}
