// What SPF, DKIM, DMARC, ARC and BIMI say of a message. All that can be asked at once is; DMARC waits for SPF and DKIM,
// and BIMI for DMARC.

import type { SpfRecord, SpfResult } from "../checks/authentication-facts.ts";
import { type Fact, known, unknown } from "../checks/fact.ts";
import type { Dns } from "../dns/answer.ts";
import { readAuthor } from "../mail/author.ts";
import type { HeaderSection } from "../mail/header-fields.ts";
import type { Recorded } from "../mail/recorded-verdicts.ts";
import type { SmtpSession } from "../mail/session.ts";
import { toRecordedWords } from "../reports/receiver-verdicts.ts";
import type { Authentication } from "../reports/report.ts";
import { verifyArc } from "./arc.ts";
import { gatherBimi } from "./bimi.ts";
import { verifyDkim } from "./dkim.ts";
import { gatherReadings, judgeReadings } from "./dmarc-readings.ts";
import { withRecordedDkim, withRecordedDmarc, withRecordedSpf } from "./recorded.ts";
import { checkHelo, checkMailFrom } from "./spf.ts";
import { gatherSpfRecord } from "./spf-record.ts";

export type AuthenticationInput = {
  readonly raw: Uint8Array;
  readonly section: HeaderSection;
  readonly session: SmtpSession;
  /** Signatures and explanations are judged by it. */
  readonly receivedAt: number;
  /** What a receiver recorded that the person trusts; left out without one. */
  readonly recorded?: Recorded | null;
  /** Who received it, as explanations may say. */
  readonly receiver: string;
};

export type AuthenticationDns = {
  readonly verdicts: Dns;
  /** For the whole tree of an SPF record, of which a verdict needs a part alone. */
  readonly spfTree: Dns;
};

export async function gatherAuthentication(
  input: AuthenticationInput,
  { verdicts: dns, spfTree }: AuthenticationDns,
): Promise<Authentication> {
  const { raw, section, session, receivedAt, recorded = null } = input;
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
  const judged = await judgeReadings(author, readings, { ...verified, spf, signatures }, dns);
  const { dmarc, dkim } = judged;
  const dmarcResult = withRecordedDmarc(judged.dmarcResult, recorded);
  const [bimi, spfRecord] = await Promise.all([
    gatherBimi({ author, section, dmarc, dmarcResult, dkim }, dns),
    gatherRecord(session, spfTree),
  ]);
  const verdicts = { spf, spfHelo, spfRecord, dkim: known(dkim), dmarc, dmarcResult, arc: known(arc), bimi };
  return recorded === null ? verdicts : { ...verdicts, recorded: toRecordedWords(recorded, verdicts) };
}

async function gatherSpf(input: AuthenticationInput, dns: Dns): Promise<Fact<SpfResult>> {
  const { clientAddress: address, helo, mailFrom } = input.session;
  if (address === null || mailFrom === null) return unknown("no-session");
  if (mailFrom === "" && helo === null) return unknown("no-session");
  const { receiver, receivedAt: now } = input;
  return known(await checkMailFrom({ address, helo, mailFrom, receiver, now }, dns));
}

async function gatherHeloSpf(input: AuthenticationInput, dns: Dns): Promise<Fact<SpfResult>> {
  const { clientAddress: address, helo } = input.session;
  if (address === null || helo === null) return unknown("no-session");
  const { receiver, receivedAt: now } = input;
  return known(await checkHelo({ address, helo, receiver, now }, dns));
}

/** Of the domain that SPF was checked for. */
async function gatherRecord({ mailFrom, helo }: SmtpSession, dns: Dns): Promise<Fact<SpfRecord>> {
  const domain = mailFrom === "" ? helo : mailFrom?.slice(mailFrom.lastIndexOf("@") + 1);
  return domain ? await gatherSpfRecord(domain, dns) : unknown("no-session");
}
