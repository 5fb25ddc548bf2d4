// Whether a message is probably not from the owner of its From domain, or imitates a brand. Its report then speaks to the
// brand and to the recipient: it does not explain how to make a forgery more convincing.

import { type Area, byId, type Check, type FindingId } from "../checks/check.ts";
import type { KnownFacts } from "../checks/facts.ts";
import type { Finding } from "../checks/run.ts";
import { isWithin } from "../dns/answer.ts";
import { toRegistrableDomain } from "../mail/headers/registrable-domain.ts";
import type { Placement, Reason } from "../placement/provider.ts";
import { isEnforcedFailure } from "./causes.ts";
import type { JudgedFinding, Judgment } from "./judgment.ts";

export type Suspicion = {
  /**
   * unauthenticated: the domain's DMARC policy fails, and nothing ties the message to the domain. forged: it also deceives.
   * imitation: its sender imitates someone else.
   */
  readonly kind: "unauthenticated" | "forged" | "imitation";
  /** The From domain. */
  readonly domain: string;
  /** What the DMARC policy asks for, if it fails. */
  readonly policy: "reject" | "quarantine" | null;
  /** Who is imitated; null if unknown. */
  readonly imitated: string | null;
};

/** The sender claims to be someone else. */
const imitations: readonly FindingId[] = [
  "display-name.brand",
  "display-name.brand-on-service",
  "display-name.brand-unreadable",
  "display-name.recipient-organization",
  "lookalike-domain.imitates",
  "lookalike-domain.brand-inside",
  "lookalike-domain.mixed-script",
];

/** Typical of phishing. On their own they are also mistakes of honest senders. */
const deceptions: readonly FindingId[] = [
  ...imitations,
  "link-text.imitates",
  "link-text.mismatch",
  "link-lookalike.imitates",
  "link-credentials.userinfo",
  "link-address.numeric",
  "link-scheme.deceptive",
  "attachment-disguise.two-names",
  "attachment-disguise.name",
];

/** What such a message must be judged by first. */
export function liesOf(suspicion: Suspicion | null): readonly FindingId[] {
  return suspicion === null || suspicion.kind === "unauthenticated" ? [] : imitations;
}

type Facts = Pick<Partial<KnownFacts>, "own" | "ptr" | "dmarc" | "kind">;

export function findSuspicion(findings: readonly Finding[], facts: Facts): Suspicion | null {
  const failure = findFailure(findings, facts);
  const imitation = findings.find(({ id }) => imitations.includes(id));
  const isForged = findings.some(({ id }) => deceptions.includes(id));
  if (failure !== null && !isRelated(failure, facts) && (isForged || !isListPost(facts))) {
    const { domain, policy } = failure;
    return { kind: isForged ? "forged" : "unauthenticated", domain, policy, imitated: null };
  }
  if (imitation === undefined) return null;
  const imitated = textOf(imitation, "brand") ?? textOf(imitation, "other") ?? textOf(imitation, "organization");
  const domain = textOf(imitation, "domain") ?? "";
  return { kind: "imitation", domain, policy: null, imitated };
}

type Failure = { readonly domain: string; readonly policy: DmarcPolicy; readonly isTied: boolean };
type DmarcPolicy = NonNullable<Suspicion["policy"]>;

/** DMARC fails, and the domain asks receivers to act on that. Free mailboxes have their own finding. */
function findFailure(findings: readonly Finding[], { dmarc }: Facts): Failure | null {
  const failure = findings.find(isEnforcedFailure);
  if (failure !== undefined)
    return {
      domain: textOf(failure, "fromDomain") ?? "",
      policy: failure.id === "dmarc-result.policy-reject" ? "reject" : "quarantine",
      isTied: failure.evidence.tiedToDomain === true,
    };
  const isElsewhere = findings.some(({ id }) => id === "freemail-from.elsewhere");
  const effective = dmarc?.known ? dmarc.value.effective : null;
  return isElsewhere && dmarc?.known && (effective === "reject" || effective === "quarantine")
    ? { domain: dmarc.value.domain, policy: effective, isTied: false }
    : null;
}

/** Lists change messages, which breaks authentication without any forgery. */
function isListPost({ kind }: Facts): boolean {
  return kind?.known === true && kind.value.mailingList;
}

function textOf({ evidence }: Finding, key: string): string | null {
  const value = evidence[key];
  return typeof value === "string" && value !== "" ? value : null;
}

/** The domain is this workspace's own, or the sending server's confirmed name is in it. */
function isRelated({ domain, isTied }: Failure, { own, ptr }: Facts): boolean {
  const organization = toRegistrableDomain(domain);
  const isOwn = own?.known === true && own.value.domains.some((name) => toRegistrableDomain(name) === organization);
  const isSentThere =
    ptr?.known === true && ptr.value.confirmed.some((name) => isWithin(name.toLowerCase(), organization));
  return isTied || isOwn || isSentThere;
}

/** Areas in which an imitation gets no advice. A forgery gets none at all. */
const ofSender: readonly Area[] = ["authentication", "infrastructure"];

/** The fix stays if the domain's owner can use it: for the sender's identity, and for records that the domain publishes. */
function keepsFix(
  { id, area }: Pick<Finding, "id"> & { readonly area: Area },
  { runsOn }: Pick<Check, "runsOn">,
  kind: Suspicion["kind"],
): boolean {
  if (kind === "unauthenticated") return true;
  if (kind === "imitation") return !ofSender.includes(area);
  return area === "identity" || id.startsWith("dmarc-result.") || runsOn.domain;
}

export function withFixFor(
  suspicion: Suspicion | null,
  finding: JudgedFinding,
  checks: readonly Check[],
): JudgedFinding {
  const check = byId(checks).get(finding.check);
  if (suspicion === null || !check || keepsFix(finding, check, suspicion.kind)) return finding;
  return { ...finding, fix: null, occurrences: finding.occurrences.map((one) => ({ ...one, fix: null })) };
}

/** A prediction offers only the fixes that the report has. */
export function withChangesFor(
  suspicion: Suspicion | null,
  placement: Placement,
  findings: readonly JudgedFinding[],
): Placement {
  if (suspicion === null || suspicion.kind === "unauthenticated") return placement;
  const kept = new Set(findings.flatMap(({ id, fix }) => (fix === null ? [] : [id])));
  const toKept = (reasons: readonly Reason[]) =>
    reasons.map((one) => (one.finding !== null && kept.has(one.finding) ? one : { ...one, change: null }));
  const predictions = placement.predictions.map(({ ifLarge, ...one }) => ({
    ...one,
    reasons: toKept(one.reasons),
    ...(ifLarge && { ifLarge: { ...ifLarge, reasons: toKept(ifLarge.reasons) } }),
  }));
  return { ...placement, predictions };
}

/** Whether the report leaves out how to fix most issues. */
export function withholdsFixes({ suspicion }: Pick<Judgment, "suspicion">): boolean {
  return suspicion !== undefined && suspicion.kind !== "unauthenticated";
}
