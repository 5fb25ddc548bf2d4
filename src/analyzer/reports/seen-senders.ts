// What a received message shows about how its domain sends: DKIM selector, return path domain, IP address and host name.
// Only authenticated values count, so that spoofed mail teaches nothing: a selector needs a valid signature, the rest a
// DMARC pass. A signature stays valid when mail is forwarded, so SPF must pass too. If SPF is not aligned, the message
// must not have been forwarded. Uploads don't count, because their session is only a claim. For a message that we sent
// to ourselves only the selector counts, because the host and return path are ours; also for one that was passed on to
// us, whose host we know only from a record.

import { createHash } from "node:crypto";
import { toPlainAddress } from "../addresses.ts";
import type { AlignedSignature, SpfResult } from "../checks/authentication-facts.ts";
import type { Fact } from "../checks/fact.ts";
import type { Session } from "../checks/facts.ts";
import type { HeloFact } from "../checks/infrastructure-facts.ts";
import type { KindFact } from "../checks/kind.ts";
import { toKeyName } from "../dns/signing-names.ts";
import { toAsciiDomain } from "../mail/headers/registrable-domain.ts";
import { doors, isPassedOn } from "../mail/session/doors.ts";
import type { Authentication } from "./report.ts";

export const senderKinds = ["selector", "return_path", "address", "helo"] as const;
export type SenderKind = (typeof senderKinds)[number];

export type SeenSender = {
  readonly kind: SenderKind;
  /** The owner: d= of the signature, or the domain in From. */
  readonly domain: string;
  readonly value: string;
  /** Changes with the selector's key; empty for other values. */
  readonly fingerprint: string;
};

type SenderSources = {
  readonly session: Session;
  readonly authentication: Pick<Authentication, "spf" | "dkim" | "dmarcResult">;
  readonly helo: Fact<HeloFact>;
  readonly forwarded: KindFact["forwarded"];
};

/** Per message. More signatures are not realistic. */
const maxSelectors = 5;

export function toSeenSenders(sources: SenderSources): SeenSender[] {
  const { session, authentication } = sources;
  if (!doors[session.door.kind].arrives) return [];
  const { dkim } = authentication;
  const signatures = dkim.known ? dkim.value.signatures : [];
  const selectors = signatures.flatMap(toSelector).slice(0, maxSelectors);
  return session.isLooped || isPassedOn(session) ? selectors : [...selectors, ...toHosts(sources)];
}

function toSelector({ result, domain, selector, key, assumed }: AlignedSignature): SeenSender[] {
  if (assumed || result !== "pass" || domain === null || selector === null || key === null) return [];
  if (toKeyName(selector, domain) === null) return [];
  const published = key.records.join("\n").replace(/\s/g, "");
  const fingerprint = createHash("sha256").update(published).digest("base64url").slice(0, 22);
  return [{ kind: "selector", domain, value: selector.toLowerCase(), fingerprint }];
}

function toHosts({ session, authentication, helo, forwarded }: SenderSources): SeenSender[] {
  const { spf, dmarcResult } = authentication;
  if (!spf.known || spf.value.result !== "pass" || spf.value.assumed) return [];
  if (!dmarcResult.known || dmarcResult.value.result !== "pass") return [];
  const { fromDomain, alignedBy } = dmarcResult.value;
  const isDirect = forwarded.known && !forwarded.value.is;
  const domain = fromDomain === null ? null : toAsciiDomain(fromDomain);
  if (domain === null || !(alignedBy.includes("spf") || isDirect)) return [];
  const values: readonly (readonly [SenderKind, string | null])[] = [
    ["return_path", toReturnPath(spf.value)],
    ["address", toAddress(session)],
    ["helo", toHeloName(helo)],
  ];
  return values.flatMap(([kind, value]) => (value === null ? [] : [{ kind, domain, value, fingerprint: "" }]));
}

function toReturnPath({ identity, domain }: SpfResult): string | null {
  return identity === "mailfrom" && domain !== null ? toAsciiDomain(domain) : null;
}

function toAddress({ clientAddress, isPublic }: Session): string | null {
  return clientAddress !== null && isPublic ? (toPlainAddress(clientAddress) ?? null) : null;
}

function toHeloName(helo: Fact<HeloFact>): string | null {
  const isName = helo.known && helo.value.form === "fqdn" && !helo.value.ours;
  return isName ? helo.value.text.toLowerCase() : null;
}
