// Single-key shortcuts, as in email clients. They are off while the reader types, and can be turned off altogether:
// speech input would trigger them by accident (WCAG 2.1.4).

import { useLayoutEffect } from "preact/hooks";
import { keep, readKept } from "./kept.ts";

type KeyHandlers = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const followMs = 1_000;
let lead = { key: "", at: 0 };
const kept = "assay-single-keys";

export function areSingleKeysOn(): boolean {
  return readKept(kept) !== "off";
}

export function turnSingleKeys(isOn: boolean): void {
  keep(kept, isOn ? "on" : "off");
}

/** `g t` means g, then t within a second. On any page, t alone then means nothing else. */
export function useKeys(keys: KeyHandlers): void {
  // Before the paint, so that keys work as soon as the page is seen.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event)) return;
      if (isSingle(event.key) && !areSingleKeysOn()) return;
      const isLed = lead.key === "g" && event.timeStamp - lead.at < followMs && isSingle(event.key);
      const act = keys[isLed ? `g ${event.key}` : event.key];
      if (act) {
        event.preventDefault();
        act(event);
      }
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [keys]);
}

/** Called once for the page. On `window`, so it runs after all other listeners. */
export function noteLeads(): void {
  window.addEventListener("keydown", (event) => {
    lead = { key: event.key, at: event.timeStamp };
  });
}

/** A letter or a symbol, unlike Enter and Escape. */
function isSingle(key: string): boolean {
  return [...key].length === 1;
}

function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (document.querySelector("dialog[open]")) return true;
  return target.matches("textarea, select, input:not([type=checkbox]):not([type=radio])");
}
