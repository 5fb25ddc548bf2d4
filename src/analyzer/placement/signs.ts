// Signs in the prediction that are not findings, derived from facts. A sign with unknown facts does not apply.

import type { KnownFacts } from "../checks/facts.ts";
import { shapeSigns, toShaped } from "./shape.ts";

type SignFacts = Partial<KnownFacts>;

const factSigns = {
  "fails-quarantine": (facts: SignFacts) => failsUnder("quarantine", facts),
  "fails-reject": (facts: SignFacts) => failsUnder("reject", facts),
  "in-conversation": ({ message }: SignFacts) =>
    message?.known === true &&
    (message.value.inReplyTo.length > 0 || message.value.references.length > 0) &&
    answering.test(message.value.subject?.slice(0, 100) ?? ""),
  "list-post": ({ kind }: SignFacts) => kind?.known === true && kind.value.mailingList,
  "proven-twice": ({ dmarcResult, dmarc }: SignFacts) =>
    dmarcResult?.known === true &&
    dmarcResult.value.result === "pass" &&
    dmarcResult.value.alignedBy.length === 2 &&
    dmarc?.known === true &&
    (dmarc.value.effective === "quarantine" || dmarc.value.effective === "reject"),
  "vouched-for": ({ dnswl }: SignFacts) =>
    dnswl?.known === true &&
    dnswl.value.some(
      ({ fact }) => fact.known && fact.value.listed && (fact.value.level === "medium" || fact.value.level === "high"),
    ),
} satisfies Record<string, (facts: SignFacts) => boolean>;

export type Sign = keyof typeof factSigns | keyof typeof shapeSigns;

/** `text` is the beginning of the message's own text. */
export function findSigns(facts: SignFacts, text: string): ReadonlySet<Sign> {
  const { message } = facts;
  const shaped = message?.known === true ? toShaped(message.value, facts, text) : null;
  const found = new Set<Sign>(byFacts.filter((sign) => factSigns[sign](facts)));
  if (shaped !== null) for (const sign of byShape) if (shapeSigns[sign](shaped)) found.add(sign);
  return found;
}

const byFacts = Object.keys(factSigns) as (keyof typeof factSigns)[];
const byShape = Object.keys(shapeSigns) as (keyof typeof shapeSigns)[];

/** Reply prefixes in several languages, after the name of a list. */
const answering = /^(?:\[[^\]]{0,40}\]\s?)?(?:re|aw|sv|antw|vs|odp|rif)\s?(?:\[\d{1,3}\])?:/i;

/** A verified forwarder excuses the failure. */
function failsUnder(policy: "quarantine" | "reject", { dmarcResult, dmarc, kind }: SignFacts): boolean {
  if (!dmarcResult?.known || !dmarc?.known || dmarcResult.value.result !== "fail") return false;
  const forwarded = kind?.known && kind.value.forwarded.known ? kind.value.forwarded.value : null;
  const isExcused = forwarded?.verified === true && forwarded.first?.dmarc === "pass";
  return dmarc.value.effective === policy && !isExcused;
}
