// The SPF, DKIM, DMARC, ARC and BIMI results of a message. Lookups run in parallel, but DMARC waits for SPF and DKIM,
// and BIMI waits for DMARC.

import type { Dkim, DkimSignature, DmarcResult, SpfRecord, SpfResult } from "../checks/authentication-facts.ts";
import { type Fact, known, unknown } from "../checks/fact.ts";
import type { Dns } from "../dns/answer.ts";
import type { RecordedResult } from "../mail/headers/authentication-results.ts";
import { readAuthor } from "../mail/headers/author.ts";
import { fieldsNamed, type HeaderSection } from "../mail/headers/fields.ts";
import { parseReceived } from "../mail/headers/received.ts";
import type { Recorded } from "../mail/headers/recorded-verdicts.ts";
import { toAsciiDomain } from "../mail/headers/registrable-domain.ts";
import { doors } from "../mail/session/doors.ts";
import type { Assumed } from "../mail/session/outgoing.ts";
import { isFromPrivate, isSubmission, type SmtpSession } from "../mail/session/session.ts";
import { toRecordedWords } from "../reports/receiver-verdicts.ts";
import type { Authentication } from "../reports/report.ts";
import { verifyArc } from "./arc.ts";
import { gatherBimi } from "./bimi.ts";
import { verifyDkim } from "./dkim.ts";
import { gatherReadings, judgeReadings } from "./dmarc-readings.ts";
import type { DmarcVerdict } from "./dmarc-result.ts";
import { assumeSignature } from "./outgoing.ts";
import { checkHelo, checkMailFrom, withoutLookups } from "./spf.ts";
import { gatherSpfRecord } from "./spf-record.ts";

export type AuthenticationInput = {
  readonly raw: Uint8Array;
  readonly section: HeaderSection;
  /** As receivers see it: with the address of the outgoing server, if one is assumed. */
  readonly session: SmtpSession;
  readonly assumed?: Assumed | null;
  /** The time by which signatures and explanations are judged. */
  readonly receivedAt: number;
  /** Results recorded by a receiver that the user trusts; left out if there is none. */
  readonly recorded?: Recorded | null;
  /** The receiving host, which explanations may name. */
  readonly receiver: string;
};

type AuthenticationDns = {
  readonly verdicts: Dns;
  /** DNS for the whole tree of an SPF record. A verdict needs only a part of it. */
  readonly spfTree: Dns;
};

export async function gatherAuthentication(
  input: AuthenticationInput,
  { verdicts: dns, spfTree }: AuthenticationDns,
): Promise<Authentication> {
  const { raw, section, session, assumed = null, receivedAt, recorded = null } = input;
  const author = readAuthor(section);
  const [ourSpf, spfHelo, verified, readings, arc] = await Promise.all([
    gatherSpf(input, dns),
    gatherHeloSpf(input, dns),
    verifyDkim({ raw, section }, dns, receivedAt),
    gatherReadings(author, dns),
    verifyArc({ raw, section }, dns, receivedAt),
  ]);
  const spf = withRecordedSpf(ourSpf, recorded);
  const signatures = withRecordedDkim(verified.signatures, recorded);
  const judgeBy = (all: typeof signatures) =>
    judgeReadings(author, readings, { ...verified, spf, signatures: all }, dns);
  const own = await judgeBy(signatures);
  const added = assumed && !isSigned(own) ? await assumeSignature(assumed, own.dkim, dns) : null;
  const judged = added?.known ? await judgeBy([...signatures, added.value]) : own;
  const { dmarc, dkim } = judged;
  const dmarcResult = withAssumed(withRecordedDmarc(judged.dmarcResult, recorded), spf, dkim);
  const [bimi, spfRecord] = await Promise.all([
    gatherBimi({ author, section, dmarc, dmarcResult, dkim }, dns),
    gatherRecord(session, spfTree),
  ]);
  const open = added?.known === false ? added : null;
  const signing = dkim.signatures.length > 0 ? known(dkim) : (open ?? toUnsigned(input, dkim));
  const unsettled = open ?? signing;
  const result =
    unsettled.known || (dmarcResult.known && dmarcResult.value.result !== "fail") ? dmarcResult : unsettled;
  const verdicts = {
    ...toUsed(assumed, added?.known === true),
    spf,
    spfHelo,
    spfRecord,
    dkim: signing,
    dmarc,
    dmarcResult: result,
    arc: known(arc),
    bimi,
  };
  return recorded === null ? verdicts : { ...verdicts, recorded: toRecordedWords(recorded, verdicts) };
}

/** The outgoing server adds the signature, so before it a missing one says nothing yet. */
function toUnsigned({ section, session, assumed = null, recorded }: AuthenticationInput, dkim: Dkim): Fact<Dkim> {
  if (assumed !== null || isSubmission(session)) return unknown("not-public");
  const { door, clientAddress, helo, mailFrom } = session;
  const claims = [clientAddress, helo, mailFrom, recorded].some((claim) => claim != null);
  return doors[door.kind].arrives || claims || isHandled(section) ? known(dkim) : unknown("no-session");
}

/** A server on the internet has passed the message on. */
function isHandled(section: HeaderSection): boolean {
  const received = fieldsNamed(section, "received");
  if (received.length === 0) return fieldsNamed(section, "return-path").length > 0;
  return received.some(({ value }) => !/^(?:private|local)$/.test(parseReceived(value).reach ?? ""));
}

async function gatherSpf(input: AuthenticationInput, dns: Dns): Promise<Fact<SpfResult>> {
  const { clientAddress: address, helo, mailFrom } = input.session;
  if (address === null || mailFrom === null) return unknown("no-session");
  if (mailFrom === "" && helo === null) return unknown(input.assumed ? "not-seen" : "no-session");
  const { receiver, receivedAt: now } = input;
  return toKnownFrom(input, await checkMailFrom({ address, helo, mailFrom, receiver, now }, dns));
}

async function gatherHeloSpf(input: AuthenticationInput, dns: Dns): Promise<Fact<SpfResult>> {
  const { clientAddress: address, helo } = input.session;
  if (address === null || helo === null) return unknown(input.assumed ? "not-seen" : "no-session");
  const { receiver, receivedAt: now } = input;
  return toKnownFrom(input, await checkHelo({ address, helo, receiver, now }, dns));
}

/** Only a pass is certain from a private network. Any other result is about the route of the test, not that of the mail. */
function toKnownFrom({ session, assumed }: AuthenticationInput, spf: SpfResult): Fact<SpfResult> {
  if (assumed?.address) return known({ ...spf, assumed: true });
  return spf.result === "pass" || !isFromPrivate(session) ? known(spf) : unknown("not-public");
}

/** What was assumed, and a server that wasn't found. */
function toUsed(assumed: Assumed | null, isSignatureUsed: boolean): Pick<Authentication, "assumed"> {
  if (assumed === null || (assumed.host === null && !isSignatureUsed)) return {};
  return { assumed: isSignatureUsed ? assumed : { ...assumed, domain: null, selector: null } };
}

/** In the author's name, whether or not it verifies. */
function isSigned({ dmarcResult, dkim }: DmarcVerdict): boolean {
  return dmarcResult.known && dmarcResult.value.dkimAligned.known
    ? dmarcResult.value.dkimAligned.value
    : dkim.signatures.some(({ aligned }) => aligned.relaxed);
}

/** A signature that we saw pass is enough, and nothing has to be assumed. */
function withAssumed(dmarcResult: Fact<DmarcResult>, spf: Fact<SpfResult>, { signatures }: Dkim): Fact<DmarcResult> {
  if (!dmarcResult.known || dmarcResult.value.result === "none") return dmarcResult;
  const isBySignature = signatures.some(({ assumed }) => assumed);
  const isSeen = dmarcResult.value.alignedBy.includes("dkim") && !isBySignature;
  const isAssumed = !isSeen && (isBySignature || (spf.known && spf.value.assumed));
  return isAssumed ? known({ ...dmarcResult.value, assumed: true }) : dmarcResult;
}

/** The record of the domain that SPF was checked for. */
async function gatherRecord({ mailFrom, helo }: SmtpSession, dns: Dns): Promise<Fact<SpfRecord>> {
  const domain = mailFrom === "" ? helo : mailFrom?.slice(mailFrom.lastIndexOf("@") + 1);
  return domain ? await gatherSpfRecord(domain, dns) : unknown("no-session");
}

// Verdicts recorded by a trusted receiver. They count where DNS does not answer us, or has changed since. Otherwise our
// own verdict counts, and the report shows the difference.

const spfWords = ["pass", "fail", "softfail", "neutral", "none", "temperror", "permerror"] as const;
const dmarcWords = ["pass", "fail", "none", "temperror", "permerror"] as const;

/** Used where our own verdict is unknown or waits for DNS. */
function withRecordedSpf(ours: Fact<SpfResult>, recorded: Recorded | null): Fact<SpfResult> {
  if (recorded === null || (ours.known && ours.value.result !== "temperror")) return ours;
  const stated = recorded.results.find(({ method }) => method === "spf");
  const result = spfWords.find((word) => word === stated?.result);
  if (!stated || result === undefined || result === "temperror") return ours;
  const { "smtp.mailfrom": mailFrom, "smtp.helo": helo } = stated.properties;
  const written = mailFrom ?? helo ?? recorded.mailFrom ?? "";
  const domain = toAsciiDomain(written.slice(written.lastIndexOf("@") + 1));
  return known({
    result,
    domain,
    identity: mailFrom === undefined && helo !== undefined ? "helo" : "mailfrom",
    ...withoutLookups,
    recordedBy: recorded.by,
  });
}

/** A key that cannot be looked up, or that has been removed since, leaves our own verdict open. */
const withoutKey: ReadonlySet<DkimSignature["why"]> = new Set(["key-unknown", "key-missing", "key-revoked"]);

function withRecordedDkim(ours: readonly DkimSignature[], recorded: Recorded | null): readonly DkimSignature[] {
  if (recorded === null) return ours;
  const stated = recorded.results.filter(({ method }) => method === "dkim");
  return ours.map((signature) => {
    if (!withoutKey.has(signature.why)) return signature;
    const passes = stated.some((one) => one.result === "pass" && isOf(one, signature));
    return passes ? { ...signature, result: "pass", why: null, says: null, recordedBy: recorded.by } : signature;
  });
}

function isOf({ properties }: RecordedResult, { domain, selector }: DkimSignature): boolean {
  const { "header.d": d, "header.i": i, "header.s": s } = properties;
  const named = d ?? i?.slice(i.lastIndexOf("@") + 1);
  const isDomain = named !== undefined && domain !== null && named.toLowerCase() === domain.toLowerCase();
  return isDomain && (s === undefined || s.toLowerCase() === selector?.toLowerCase());
}

function withRecordedDmarc(ours: Fact<DmarcResult>, recorded: Recorded | null): Fact<DmarcResult> {
  if (recorded === null || !ours.known || ours.value.ambiguity || ours.value.result !== "temperror") return ours;
  const { fromDomain } = ours.value;
  const stated = recorded.results.find(({ method }) => method === "dmarc");
  const result = dmarcWords.find((word) => word === stated?.result);
  const from = stated?.properties["header.from"];
  const isOther = from !== undefined && toAsciiDomain(from.slice(from.lastIndexOf("@") + 1)) !== fromDomain;
  if (result === undefined || result === "temperror" || isOther) return ours;
  return known({ ...ours.value, result, says: `Recorded by ${recorded.by}.`, recordedBy: recorded.by });
}
