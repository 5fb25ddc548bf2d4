// The kind of a sender and how its name is known, for pages, alerts and commands.

import type { NamedSender, SenderKind } from "../../../analyzer/senders/name-sender.ts";

export const kindWords: Readonly<Record<SenderKind, string>> = {
  service: "email service",
  mailbox: "mailbox provider",
  hosting: "hosting",
  gateway: "mail filter",
  forwarder: "forwarder or list",
  network: "internet access",
  organization: "organization",
  own: "named in your DNS",
  unknown: "unknown",
};

type Told = Pick<NamedSender, "kind" | "by" | "evidence"> & {
  /** Messages that passed SPF for the domain itself. */
  readonly spfAligned: number;
};

/** Its kind, and how its name is known. */
export function toSenderWords({ kind, by, evidence, spfAligned }: Told): readonly string[] {
  if (by === "nothing") return [spfAligned > 0 ? "in your SPF record" : "nothing names it"];
  const what = { dkim: "DKIM of", spf: "SPF of", "reverse-dns": "reverse DNS", network: "the name of its network" }[by];
  const proof = `by ${what}${by === "network" ? "" : ` ${evidence}`}`;
  return kind === "unknown" ? [proof] : [kindWords[kind], proof];
}
