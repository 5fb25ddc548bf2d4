// Addresses that ask for a rehearsal: `<seed>+as-gmail@…` answers as that receiver would, `<seed>+probe-drop@…` tests what
// the sender does, `<seed>+code-451@…` answers with that code, and `<seed>+rate-5@…` accepts five messages a minute. Text
// after a dot is the sender's own (`+as-gmail.build-7`). The test's label is everything after `+`, whether the rehearsal is
// turned on or not.

import type { Provider } from "../../placement/provider.ts";
import tags from "./rehearsal-tags.json" with { type: "json" };

/** `strict` follows the published rules of all receivers together, including those for bulk senders. */
export type Receiver = Exclude<Provider, "generic"> | "strict";

export const receivers = ["gmail", "outlook", "yahoo", "icloud", "strict"] as const satisfies readonly Receiver[];

export const probes = ["greylist", "no-tls", "bad-cert", "slow", "drop", "full", "size"] as const;
export type Probe = (typeof probes)[number];

type NamedTag = `as-${Receiver}` | `probe-${Probe}`;
export type RehearsalTag = NamedTag | `code-${string}` | `rate-${string}`;

/** Those that can be listed. */
export const rehearsalTags: readonly NamedTag[] = [
  ...receivers.map((receiver) => `as-${receiver}` as const),
  ...probes.map((probe) => `probe-${probe}` as const),
];

/** Receivers by the names of their other domains. */
const synonyms: Readonly<Record<string, string>> = tags.synonyms;

/** All that may be written. */
export const writtenTags = [...rehearsalTags, ...Object.keys(synonyms).map((name) => `as-${name}`)];

/** Replies that an address may ask for: to RCPT, or to the whole message. */
export const recipientCodes = tags.codes.recipient;
export const messageCodes = tags.codes.message;

// RFC 3463 §2: the class of the enhanced code is that of the code, and its numbers have no leading zeros. After a dot, it is
// mistyped rather than a label.
const chosenTag =
  /^(?<tag>code-(?<code>([45])\d\d)(?!\.\3\.\d+\.\d)(?:-(?<enhanced>\3(?:\.(?:0|[1-9]\d{0,2})){2}))?(?<data>-data)?|rate-(?<rate>[1-9]\d{0,2}))(?:\.|$)/;

/** Case doesn't matter, because some senders change it. Null: an ordinary label, or none. */
export function parseRehearsalTag(label: string | null): RehearsalTag | null {
  if (label === null) return null;
  const text = label.toLowerCase();
  const { tag: chosen } = chosenTag.exec(text)?.groups ?? {};
  if (chosen !== undefined) return (toRate(chosen) ?? toChosenReply(chosen)) ? (chosen as RehearsalTag) : null;
  const [word = ""] = text.split(".", 1);
  const [, name = ""] = /^as-(.*)$/.exec(word) ?? [];
  const own = Object.hasOwn(synonyms, name) ? `as-${synonyms[name]}` : word;
  return rehearsalTags.find((tag) => tag === own) ?? null;
}

export function toReceiver(tag: RehearsalTag): Receiver | null {
  return receivers.find((receiver) => tag === `as-${receiver}`) ?? null;
}

export function toProbe(tag: RehearsalTag): Probe | null {
  return probes.find((probe) => tag === `probe-${probe}`) ?? null;
}

/** `to`: the command that gets the reply, or the message after DATA. */
type ChosenReply = { readonly code: number; readonly enhanced: string; readonly to: "recipient" | "message" };

/** Null if it asks for none, or for one that RFC 5321 doesn't allow there. */
export function toChosenReply(tag: string): ChosenReply | null {
  const { code, enhanced, data } = chosenTag.exec(tag)?.groups ?? {};
  if (code === undefined) return null;
  const to = data === undefined ? "recipient" : "message";
  return tags.codes[to].includes(Number(code))
    ? { code: Number(code), enhanced: enhanced ?? `${code[0]}.0.0`, to }
    : null;
}

/** How many messages a minute the address accepts. */
export function toRate(tag: string): number | null {
  const { rate } = chosenTag.exec(tag)?.groups ?? {};
  return rate === undefined ? null : Number(rate);
}
