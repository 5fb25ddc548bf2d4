// A drift in words. The record that stood before is shown whole, because to publish it again is how most drifts are
// undone.

import type { Change } from "../domains/drift.ts";
import type { Mechanism } from "../reports/domain-report.ts";
import type { DriftData } from "./alert-event.ts";
import type { ChatNotice, Quote } from "./chat-notice.ts";
import { toName, toQuote, toSentence } from "./shown-text.ts";

const labels: Readonly<Record<Mechanism, string>> = {
  spf: "SPF",
  dkim: "DKIM",
  dmarc: "DMARC",
  bimi: "BIMI",
  mx: "MX",
  mtaSts: "MTA-STS",
  tlsRpt: "TLS-RPT",
  dnssec: "DNSSEC",
  dane: "DANE",
};

/** The page has them all. */
const shownChanges = 4;

export function driftNotice({ domain: { id, domain }, kind, changes }: DriftData): ChatNotice {
  const shown = changes.slice(0, shownChanges);
  const more = changes.length - shown.length;
  return {
    title: `${toName(domain)}: ${headline(kind, changes)}`,
    tone: kind === "mended" ? "better" : kind === "unstable" ? "worse" : directionOf(changes),
    says: [...shown.map(toChangeSentence), ...(more > 0 ? [`And ${more} more.`] : [])],
    quotes: shown.flatMap((change) => toQuotes(change, shown.length > 1)),
    advice: advice(kind, changes),
    short: shown[0] ? toChangeSentence(shown[0]) : advice(kind, changes),
    path: `/domains/${encodeURIComponent(id)}`,
  };
}

function headline(kind: DriftData["kind"], changes: readonly Change[]): string {
  const what = listMechanisms(changes);
  if (kind === "mended") return `${what} mended`;
  if (kind === "unstable") return `${what} unstable`;
  const ends = { worse: "got worse", better: "got better", neutral: "changed" };
  return `${what} ${ends[directionOf(changes)]}`;
}

function listMechanisms(changes: readonly Change[]): string {
  const named = [...new Set(changes.map(({ mechanism }) => labels[mechanism]))];
  return named.length > 0 ? named.join(", ") : "DNS";
}

/** One change for the worse is what a person wants to see first. */
function directionOf(changes: readonly Change[]): Change["direction"] {
  const directions = new Set(changes.map(({ direction }) => direction));
  return directions.has("worse") ? "worse" : directions.has("neutral") ? "neutral" : "better";
}

function toChangeSentence({ mechanism, says, before, after }: Change): string {
  const isTold = before.verdict !== null && after.verdict !== null && before.verdict !== after.verdict;
  const verdicts = isTold ? ` (${before.verdict} → ${after.verdict})` : "";
  return `${labels[mechanism]}${verdicts}: ${toSentence(says)}`;
}

function toQuotes({ mechanism, before, after }: Change, isOneOfSeveral: boolean): Quote[] {
  const label = (what: string) => (isOneOfSeveral ? `${labels[mechanism]} ${what.toLowerCase()}` : what);
  if (before.record === after.record)
    return before.record === null ? [] : [toQuote(label("Record"), before.record)];
  return [
    toQuote(label("Before"), before.record ?? "(no record)"),
    toQuote(label("Now"), after.record ?? "(no record)"),
  ];
}

function advice(kind: DriftData["kind"], changes: readonly Change[]): string {
  if (kind === "mended") return "Nothing is left to do.";
  if (kind === "unstable")
    return "It goes to and fro, and is told once: see whether all of the domain's name servers serve the same zone.";
  if (directionOf(changes) !== "worse") return "If you meant this, there is nothing to do.";
  const isUndone = changes.some(
    ({ direction, before, after }) =>
      direction === "worse" && before.record !== null && before.record !== after.record,
  );
  return isUndone
    ? "If nobody of yours meant this, publish again the record that stood before."
    : "The domain's page says what is wrong and what to publish.";
}
