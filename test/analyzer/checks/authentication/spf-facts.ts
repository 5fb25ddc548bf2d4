// Facts about a message from ann@a.example, sent by 203.0.113.7 with a return path at a.example, unless a case says so.

import type { DmarcResult, SpfRecord, SpfResult } from "../../../../src/analyzer/checks/authentication-facts.ts";
import { known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import type { Session } from "../../../../src/analyzer/checks/facts.ts";
import type { Forwarded, KindFact } from "../../../../src/analyzer/checks/kind.ts";
import { createZoneDns, type Zone } from "../../../../src/analyzer/dns/zone.ts";
import { checkMailFrom } from "../../../../src/analyzer/facts/spf.ts";
import { gatherSpfRecord } from "../../../../src/analyzer/facts/spf-record.ts";
import type { Message } from "../../../../src/analyzer/mail/mime/message.ts";
import { readMessage } from "../../../../src/analyzer/mail/mime/parse.ts";
import { claimedSession } from "../../../../src/analyzer/mail/session/session.ts";
import { sureKind } from "../sure-kind.ts";

export const receivedAt = Date.UTC(2026, 10, 21, 12);
export const clientAddress = "203.0.113.7";

export async function spfRecordOf(record: string | Zone[string], others: Zone = {}): Promise<SpfRecord> {
  const top = typeof record === "string" ? { TXT: [record] } : record;
  const fact = await gatherSpfRecord("a.example", createZoneDns({ "a.example": top ?? {}, ...others }));
  if (!fact.known) throw new Error(fact.why);
  return fact.value;
}

export function spfResultOf(record: string, others: Zone = {}, mailFrom = "ann@a.example"): Promise<SpfResult> {
  const dns = createZoneDns({ "a.example": { TXT: [record] }, ...others });
  const client = { address: clientAddress, helo: "mx.a.example", receiver: "assay.test", now: receivedAt };
  return checkMailFrom({ ...client, mailFrom }, dns);
}

/** Both of one record. */
export async function spfOf(record: string, others: Zone = {}) {
  const [spfRecord, spf] = await Promise.all([spfRecordOf(record, others), spfResultOf(record, others)]);
  return { spfRecord, spf };
}

export function messageOf(headers: string = "From: Ann <ann@a.example>\r\n"): Message {
  return readMessage(Buffer.from(`${headers}\r\nText.\r\n`)).message;
}

export function sessionOf(more: Partial<Session> = {}): Session {
  const claims = { clientAddress, helo: "mx.a.example", mailFrom: "ann@a.example", rcptTo: ["x@assay.test"] };
  return {
    ...claimedSession(claims),
    isPublic: true,
    isLooped: false,
    receivedAt,
    sizeBytes: 1_000,
    receiver: "assay.test",
    conduct: null,
    ...more,
  };
}

export function kindOf(more: Partial<KindFact> = {}): KindFact {
  const kind = { ...sureKind("transactional"), overridden: false };
  const forwarded = known({ is: false, verified: false, by: null, first: null, reasons: [] });
  return { ...kind, forwarded, mailingList: false, esp: null, ...more };
}

export const acme = { name: "Acme Mail", shared: true, transactional: false };

export function forwardedBy(by: string, first: NonNullable<Forwarded["first"]>): KindFact["forwarded"] {
  return known({ is: true, verified: true, by, first, reasons: [] });
}

export const claimedForward: KindFact["forwarded"] = known({
  is: true,
  verified: false,
  by: "list.example",
  first: null,
  reasons: [],
});
export const forwardUnknown: KindFact["forwarded"] = unknown("timeout");

export function dmarcResultOf(more: Partial<DmarcResult> = {}): DmarcResult {
  return {
    result: "pass",
    says: null,
    fromDomain: "a.example",
    alignedBy: ["spf", "dkim"],
    spfAligned: known(true),
    dkimAligned: known(true),
    relaxedWouldPass: false,
    pslEraResult: "pass",
    pslOrgDomain: "a.example",
    ...more,
  };
}
