// Addresses that ask for a rehearsal: `<seed>+as-gmail@…` answers as that receiver would, `<seed>+probe-drop@…` tests what
// the sender does. Text after a dot is the sender's own (`+as-gmail.build-7`). The test's label is everything after `+`,
// whether the rehearsal is turned on or not.

import type { Provider } from "../../placement/provider.ts";

/** `strict` follows the published rules of all receivers together, including those for bulk senders. */
export type Receiver = Exclude<Provider, "generic"> | "strict";

export const receivers = ["gmail", "outlook", "yahoo", "icloud", "strict"] as const satisfies readonly Receiver[];

export const probes = ["greylist", "no-tls", "bad-cert", "slow", "drop", "full", "size"] as const;
export type Probe = (typeof probes)[number];

export type RehearsalTag = `as-${Receiver}` | `probe-${Probe}`;

export const rehearsalTags: readonly RehearsalTag[] = [
  ...receivers.map((receiver) => `as-${receiver}` as const),
  ...probes.map((probe) => `probe-${probe}` as const),
];

/** Case doesn't matter, because some senders change it. Null: an ordinary label, or none. */
export function parseRehearsalTag(label: string | null): RehearsalTag | null {
  if (label === null) return null;
  const [word = ""] = label.toLowerCase().split(".", 1);
  return rehearsalTags.find((tag) => tag === word) ?? null;
}

export function toReceiver(tag: RehearsalTag): Receiver | null {
  return receivers.find((receiver) => tag === `as-${receiver}`) ?? null;
}

export function toProbe(tag: RehearsalTag): Probe | null {
  return probes.find((probe) => tag === `probe-${probe}`) ?? null;
}
