// Whether a message was forwarded. A valid ARC chain (RFC 8617) is proof. Header fields are only claims and change no
// verdict.

import { toRegistrableDomain } from "../mail/headers/registrable-domain.ts";
import type { Message } from "../mail/mime/message.ts";
import type { Arc } from "./authentication-facts.ts";
import { espOfDomain } from "./esp.ts";
import { type Fact, known, unknown } from "./fact.ts";
import type { Forwarded } from "./kind.ts";

type ForwardingMarks = {
  readonly headers: Message["headers"];
  readonly arc: Fact<Arc>;
  /** The From domain, in A-labels. */
  readonly fromDomain: string | null;
  readonly rcptTo: readonly string[];
  readonly mailingList: boolean;
  /** Name of the email service that sent the message. */
  readonly esp: string | null;
};

type Claim = { readonly says: string; readonly by: string | null };

export function readForwarding(marks: ForwardingMarks): Fact<Forwarded> {
  const { arc } = marks;
  if (!arc.known) return arc;
  if (arc.value.result === "temperror") return unknown("timeout");
  const claims = readClaims(marks);
  const by = forwarderOf(arc.value, marks);
  return known({
    is: by !== null || claims.length > 0,
    verified: by !== null,
    by: by ?? claims.find((claim) => claim.by !== null)?.by ?? null,
    first: by === null ? null : readResults(arc.value.firstResults ?? ""),
    reasons: [
      ...(by === null ? [] : [`A valid ARC chain was last sealed by ${by}.`]),
      ...claims.map(({ says }) => says),
    ],
  });
}

/** The newest sealer, unless it is the author's organization or its email service. */
function forwarderOf({ result, sealers, firstResults }: Arc, { fromDomain, esp }: ForwardingMarks): string | null {
  const domain = sealers.at(-1)?.domain ?? null;
  if (result !== "pass" || domain === null || fromDomain === null) return null;
  if (toRegistrableDomain(domain) === toRegistrableDomain(fromDomain)) return null;
  if (esp !== null && espOfDomain(domain)?.name === esp) return null;
  return sealers.length === 1 && isFirstSender(domain, firstResults ?? "") ? null : domain;
}

/**
 * Microsoft 365 also seals its own customers' outgoing mail, without a client address. For mail from elsewhere it names
 * the client ("sender ip is").
 */
function isFirstSender(domain: string, firstResults: string): boolean {
  return toRegistrableDomain(domain) === "microsoft.com" && !/sender ip is/i.test(firstResults);
}

const resent = new Set(["resent-from", "resent-sender", "resent-to", "resent-date"]);
const passedOn = new Set(["x-forwarded-to", "x-forwarded-for"]);

function readClaims({ headers, rcptTo, mailingList }: ForwardingMarks): Claim[] {
  const first = (keys: ReadonlySet<string>) => headers.find(({ key }) => keys.has(key));
  const claims: Claim[] = [];
  if (mailingList) claims.push({ says: "It came through a mailing list.", by: null });
  const again = first(resent);
  if (again) {
    const from = headers.find(({ key }) => key === "resent-from");
    claims.push({
      says: `It has a ${again.name} header, which marks it as resent.`,
      by: from ? domainIn(from.value) : null,
    });
  }
  const onward = first(passedOn);
  if (onward) {
    const source = headers.find(({ key }) => key === "x-forwarded-for");
    claims.push({ says: `It has an ${onward.name} header.`, by: source ? domainIn(source.value) : null });
  }
  const foreign = headers.find(({ key, value }) => key === "delivered-to" && isForeign(value, rcptTo));
  if (foreign)
    claims.push({ says: "Delivered-To shows an earlier delivery to another mailbox.", by: domainIn(foreign.value) });
  return claims;
}

/** Without a session, the recipient's mailbox is unknown. */
function isForeign(deliveredTo: string, rcptTo: readonly string[]): boolean {
  const domain = domainIn(deliveredTo);
  return domain !== null && rcptTo.length > 0 && rcptTo.every((address) => domainIn(address) !== domain);
}

function domainIn(text: string): string | null {
  return /@([a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9])?)/i.exec(text.slice(0, 1_000))?.[1]?.toLowerCase() ?? null;
}

const maxResults = 100;

/** RFC 8601 §2.2, after the name of the checking server. One passing signature is enough. */
export function readResults(text: string): NonNullable<Forwarded["first"]> {
  const found: Record<"spf" | "dkim" | "dmarc", string | null> = { spf: null, dkim: null, dmarc: null };
  // Real headers don't nest comments deeper.
  const plain = text.replace(/\([^()]*\)/g, " ").replace(/\([^()]*\)/g, " ");
  for (const part of plain.split(";", maxResults)) {
    const [, method, result] =
      /^\s{0,20}(spf|dkim|dmarc)\s{0,9}(?:\/\s{0,9}\d{1,3}\s{0,9})?=\s{0,9}([a-z]{1,20})/i.exec(part) ?? [];
    const name = method?.toLowerCase();
    if (result === undefined || (name !== "spf" && name !== "dkim" && name !== "dmarc")) continue;
    if (found[name] !== "pass") found[name] = result.toLowerCase();
  }
  return found;
}
