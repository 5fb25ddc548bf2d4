// Who sent a report, complaint or bounce: the registrable domain of its From header, and whether SPF or DKIM
// authenticates it. Anyone can write a report about any domain, so only authenticated ones may
// raise alerts (src/decisions.md, "Feedback").

import type { Dns } from "../dns/answer.ts";
import { readAuthor } from "../mail/headers/author.ts";
import type { HeaderSection } from "../mail/headers/fields.ts";
import { toRegistrableDomain } from "../mail/headers/registrable-domain.ts";
import type { SmtpSession } from "../mail/session/session.ts";
import { verifyDkim } from "./dkim.ts";
import { checkMailFrom } from "./spf.ts";

export type NoticeSender = {
  /** Null if the From header names no single domain. */
  readonly domain: string | null;
  readonly authenticated: boolean;
};

export const unknownSender: NoticeSender = { domain: null, authenticated: false };

type SenderInput = {
  readonly raw: Uint8Array;
  readonly section: HeaderSection;
  readonly session: Pick<SmtpSession, "clientAddress" | "helo" | "mailFrom">;
  readonly receivedAt: number;
  readonly receiver: string;
};

/** Relaxed alignment, as DMARC has it by default. A result that DNS doesn't give counts as not authenticated. */
export async function gatherNoticeSender(input: SenderInput, dns: Dns): Promise<NoticeSender> {
  const { raw, section, receivedAt } = input;
  const author = readAuthor(section);
  if (!author.ok) return unknownSender;
  const domain = toRegistrableDomain(author.domain);
  const isAligned = (other: string | null) => other !== null && toRegistrableDomain(other) === domain;
  const { signatures } = await verifyDkim({ raw, section }, dns, receivedAt);
  const isSigned = signatures.some((one) => one.result === "pass" && isAligned(one.domain?.toLowerCase() ?? null));
  return { domain, authenticated: isSigned || (await passesSpf(input, dns, isAligned)) };
}

async function passesSpf(
  { session, receiver, receivedAt: now }: SenderInput,
  dns: Dns,
  isAligned: (domain: string | null) => boolean,
): Promise<boolean> {
  const { clientAddress: address, helo, mailFrom } = session;
  if (address === null || mailFrom === null || (mailFrom === "" && helo === null)) return false;
  const spf = await checkMailFrom({ address, helo, mailFrom, receiver, now }, dns);
  return spf.result === "pass" && isAligned(spf.domain);
}
