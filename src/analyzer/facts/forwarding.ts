// Passes a copy of the message through each transit and verifies it as the next receiver would, with the DNS answers of
// the report.

import type { Arc, DkimSignature, SpfResult } from "../checks/authentication-facts.ts";
import { type Fact, known } from "../checks/fact.ts";
import type { Dns } from "../dns/answer.ts";
import { readSignature } from "../dns/dkim-signature.ts";
import { type Coverage, findChanges, type Version } from "../mail/forwarding/compare.ts";
import { hasLongLine, type MessageText, readMessageText, toBytes } from "../mail/forwarding/message-text.ts";
import { transits } from "../mail/forwarding/transits.ts";
import { readAuthor } from "../mail/headers/author.ts";
import { fieldsNamed, type HeaderSection, readHeaderSection } from "../mail/headers/fields.ts";
import { fromLocalForm, type MessageBytes } from "../mail/signing/body-hash.ts";
import type { Forwarding, PassingSignature, SignatureFate, TransitOutcome } from "../reports/forwarding.ts";
import type { Authentication } from "../reports/report.ts";
import { verifyDkim } from "./dkim.ts";
import { gatherReadings, judgeReadings } from "./dmarc-readings.ts";
import { withoutLookups } from "./spf.ts";

type ForwardedMessage = MessageBytes & {
  readonly authentication: Authentication;
  /** The time by which signatures were judged. */
  readonly judgedAt: number;
};

/** A copy for each transit takes a few times this much memory, one after the other. */
const maxBytes = 20_000_000;

export async function gatherForwarding(message: ForwardedMessage, dns: Dns): Promise<Forwarding> {
  const { raw, section, authentication, judgedAt } = message;
  const { dkim, dmarc, dmarcResult } = authentication;
  const text = raw.length > maxBytes ? null : readMessageText(message);
  const outset = {
    fromDomain: dmarcResult.known ? dmarcResult.value.fromDomain : null,
    dmarc: dmarcResult.known ? dmarcResult.value.result : null,
    policy: dmarc.known ? dmarc.value.effective : null,
    alignedBy: dmarcResult.known ? dmarcResult.value.alignedBy : [],
    passesAnyone: allowsAnyone(authentication),
    body: describeBody(text),
  };
  const without = (gap: Forwarding["gap"]) => ({ ...outset, gap, signatures: [], transits: [] });
  if (!dkim.known || dkim.value.signatures.some(({ assumed }) => assumed)) return without("unsent");
  if (raw.length > maxBytes) return without("too-large");
  if (text === null) return without("malformed");
  const verified = await verifyDkim({ raw, section }, dns, judgedAt);
  const passing = verified.signatures.filter(({ result }) => result === "pass");
  if (passing.length === 0 && verified.signatures.some(({ result }) => result === "temperror"))
    return without("no-answer");
  const signatures = passing.map((signature) => toPassing(signature, dkim.value.signatures[signature.index]));
  const walk = createWalk({ ...message, text, passing }, dns);
  const outcomes: TransitOutcome[] = [];
  for (const transit of transits) outcomes.push(await walk(transit));
  return { ...outset, gap: null, signatures, transits: outcomes };
}

function describeBody(text: MessageText | null): Forwarding["body"] {
  const body = text?.body ?? "";
  return { longLines: hasLongLine(body), fromLines: /^From /m.test(body), eightBit: /[\x80-\xff]/.test(body) };
}

function toPassing(
  { index, domain, selector, canon, bodyLength }: DkimSignature,
  reported: { readonly aligned: { readonly relaxed: boolean } } | undefined,
): PassingSignature {
  return {
    index,
    domain,
    selector,
    canon: `${canon?.header ?? "simple"}/${canon?.body ?? "simple"}`,
    isAligned: reported?.aligned.relaxed ?? false,
    bodyLength,
  };
}

type Walk = ForwardedMessage & { readonly text: MessageText; readonly passing: readonly DkimSignature[] };

type Transit = (typeof transits)[number];

function createWalk(walk: Walk, dns: Dns): (transit: Transit) => Promise<TransitOutcome> {
  const { text, passing, authentication, judgedAt } = walk;
  const before = toVersion(walk);
  const coverages = passing.map((signature) => toCoverage(signature, before.section));
  return async (transit) => {
    const { id, group, seals } = transit;
    const arc = seals ? sealOver(authentication.arc) : null;
    const left = transit.apply(text);
    if (left === null) {
      const signatures = passing.map(({ index }): SignatureFate => ({ index, fate: "unknown", changes: [] }));
      return { id, signatures, dmarc: null, isAuthenticated: null, arc };
    }
    const raw = toBytes(left);
    const section = readHeaderSection(raw);
    const verified = await verifyDkim({ raw, section }, dns, judgedAt);
    const after = { section, body: raw.subarray(section.bodyOffset) };
    const signatures = passing.map(({ index }, at): SignatureFate => {
      const result = verified.signatures[index]?.result;
      if (result === "pass") return { index, fate: "survives", changes: [] };
      const coverage = coverages[at];
      return { index, fate: "breaks", changes: coverage ? findChanges(before, after, coverage) : [] };
    });
    const author = readAuthor(section);
    const spf = spfBehind(group, authentication);
    const readings = await gatherReadings(author, dns);
    const { dmarcResult } = await judgeReadings(author, readings, { ...verified, spf: known(spf) }, dns);
    return { id, signatures, ...toVerdict(dmarcResult), arc };
  };
}

function toVersion(message: MessageBytes): Version {
  const { raw, section } = fromLocalForm(message);
  return { section, body: raw.subarray(section.bodyOffset) };
}

function toCoverage({ index, canon, bodyLength }: DkimSignature, section: HeaderSection): Coverage {
  const field = fieldsNamed(section, "dkim-signature")[index];
  const { headers } = readSignature(field?.value ?? "", "dkim");
  return { headers, canon: canon ?? { header: "simple", body: "simple" }, bodyLength, index } as Coverage;
}

type Verdict = Pick<TransitOutcome, "dmarc" | "isAuthenticated">;

function toVerdict(dmarcResult: Awaited<ReturnType<typeof judgeReadings>>["dmarcResult"]): Verdict {
  if (!dmarcResult.known) return { dmarc: null, isAuthenticated: null };
  const { result, alignedBy } = dmarcResult.value;
  const isOpen = result === "temperror" || result === "permerror";
  return { dmarc: isOpen ? null : result, isAuthenticated: isOpen ? null : alignedBy.length > 0 };
}

/**
 * SPF at the next receiver. The forwarder's address isn't in the sender's record, so it passes only if anyone's does. A
 * list has its own envelope sender.
 */
function spfBehind(group: Transit["group"], authentication: Authentication): SpfResult {
  const { spf } = authentication;
  const domain = spf.known ? spf.value.domain : null;
  const isPass = group === "list" || allowsAnyone(authentication);
  return {
    result: isPass ? "pass" : "fail",
    domain: group === "list" ? "lists.example" : domain,
    identity: "mailfrom",
    ...withoutLookups,
  };
}

function allowsAnyone({ spfRecord }: Authentication): boolean {
  return spfRecord.known && spfRecord.value.passesAnyone !== null;
}

/** RFC 8617 §5.1: a chain that was broken before stays broken. */
function sealOver(arc: Fact<Arc>): NonNullable<TransitOutcome["arc"]> {
  if (!arc.known || arc.value.result === "temperror") return "unknown";
  return arc.value.result === "fail" ? "fail" : "pass";
}
