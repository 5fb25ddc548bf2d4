// The state of a monitor in words and tones, and the link that fills in the form from a message.

import type { Tone } from "../../../web/parts/tone.tsx";
import type { WorkspaceEvent } from "../../events/contract.ts";
import type { MonitorItem } from "../contract/monitor-list.ts";
import { toStateWord } from "../words/monitor-words.ts";

type Look = { readonly tone: Tone; readonly word: string };

type Shown = Pick<MonitorItem, "enabled" | "state">;

export function toLook({ enabled, state }: Shown): Look {
  const word = toStateWord(state, enabled);
  if (!enabled) return { tone: "info", word };
  if (state === "down") return { tone: "critical", word };
  return { tone: state === "up" ? "good" : "unknown", word };
}

type Seen = { readonly from: string | null; readonly label: string | null; readonly subject: string | null };

const separators = /[\s<>"(),:;]/;
const fewestLetters = 3;

/** Opens the form with what the message shows. */
export function toExpectPath({ from, label, subject }: Seen): string {
  const query = new URLSearchParams({ new: "expected" });
  const sender = from?.split(separators).find((part) => part.includes("@"));
  if (sender !== undefined) query.set("sender", sender);
  if (label !== null) query.set("label", label);
  const words = toLasting(subject ?? "");
  if (words !== "") query.set("subject", words);
  return `/monitors?${query}`;
}

/** Dates and numbers differ from message to message, so only what comes before them is used. */
function toLasting(subject: string): string {
  const before = subject.split(/\d/, 1)[0]?.trim() ?? "";
  return before.length >= fewestLetters ? before.slice(0, 200) : "";
}

/** Any message may be the expected one. */
export function isArrival({ type }: WorkspaceEvent): boolean {
  return type === "test.analyzed" || type === "test.recognised";
}
