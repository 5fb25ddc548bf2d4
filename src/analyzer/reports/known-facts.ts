// Turns the results of an analysis into facts for the checks.

import type { Dkim } from "../checks/authentication-facts.ts";
import { type Fact, known, unknown } from "../checks/fact.ts";
import type { History, KnownFacts, Own, PublishedKey, Session } from "../checks/facts.ts";
import { inferKind } from "../checks/infer-kind.ts";
import type { Surroundings } from "../checks/infrastructure-facts.ts";
import type { Kind, KindFact } from "../checks/kind.ts";
import { findKindRule, type RememberedKind } from "../checks/kind-rules.ts";
import type { Volume } from "../checks/volume.ts";
import type { Content } from "../mail/content.ts";
import type { Received } from "../mail/headers/delivery-path.ts";
import type { JudgedTime } from "../mail/headers/judged-time.ts";
import type { Message } from "../mail/mime/message.ts";
import type { Raw } from "../mail/mime/raw.ts";
import type { Outgoing } from "../mail/session/outgoing.ts";
import { isFromPrivate, type SmtpSession, toConduct } from "../mail/session/session.ts";
import type { Cut } from "../mail/text/bounds.ts";
import type { Learned } from "../placement/learned.ts";
import type { Authentication } from "./report.ts";

/** What is known about a test in addition to its message, from its workspace and users. */
export type Circumstances = {
  /** The label of its test address: `inbox+label@`. */
  readonly label: string | null;
  /** The kind that a user set. */
  readonly kindOverride: Kind | null;
  /** The workspace's rules for senders and labels. */
  readonly kindRules?: readonly RememberedKind[];
  readonly history: Fact<History>;
  readonly own: Fact<Own>;
  /** How much the workspace sends to any one mailbox provider. */
  readonly volume?: Volume;
  /** The workspace's outgoing server, according to an owner. */
  readonly outgoing?: Outgoing | null;
  /** What the workspace learned from its own labeled mail. */
  readonly learned?: Learned | null;
};

/** For a message without any context. */
export const noCircumstances: Circumstances = {
  label: null,
  kindOverride: null,
  history: unknown("off"),
  own: unknown("off"),
};

/** What the message, its session, DNS and other servers showed. */
type Discovered = {
  readonly message: Message;
  readonly raw: Raw;
  readonly content: Content;
  readonly session: SmtpSession;
  /** See `Session`. */
  readonly connectedFrom?: string;
  readonly received: Received;
  readonly receivedAt: number;
  readonly judgedFrom?: JudgedTime["from"];
  /** Host name of this server. */
  readonly receiver: string;
  readonly authentication: Authentication;
  readonly surroundings: Surroundings;
};

/**
 * A fact that does not apply is left out: a message without HTML has no `html`, and facts about a domain are not asked
 * of messages. `inferred`: the kind, if it is known.
 */
export function toKnownFacts(found: Discovered, circumstances: Circumstances, inferred: KindFact | null = null) {
  const { message, raw, content, session, received, authentication, surroundings } = found;
  const { html, images, links, attachments } = content;
  const { dkim, arc, dmarc, recorded: _, assumed: __, ...proofs } = authentication;
  const { mx, linkHosts, listings, allows, domains, scanners, malware, ...sameName } = surroundings;
  const { ptr } = sameName;
  const { label, kindOverride: override, kindRules = [], history, own, volume = null } = circumstances;
  const rule = findKindRule(kindRules, { from: message.from, label });
  const kind = inferred ?? inferKind({ message, html, links, session, arc, dkim, ptr, label, override, rule });
  return {
    message: known(message),
    raw: known(raw),
    session: { known: true, value: toSession(found) },
    received: known(received),
    kind: { known: true, value: kind },
    ...(volume !== null && { volume: known(volume) }),
    history,
    own,
    ...proofs,
    dkim,
    arc,
    ...(isInQuestion(dmarc) && { dmarc }),
    dkimKeys: dkim.known ? known(toSignatureKeys(dkim.value)) : dkim,
    ...sameName,
    dnsbl: listings,
    dnswl: allows,
    uribl: domains,
    mx: known(mx),
    links: known(links),
    linkHosts: known(linkHosts),
    attachments: known(attachments),
    scanner: scanners.length > 0 ? known(scanners) : unknown("off"),
    // Few servers have a malware scanner, so without one, nothing is missing.
    ...((malware.known || malware.why !== "off") && { malware }),
    ...(html && { html: known(html) }),
    ...(images && { images: known(images) }),
  } satisfies Partial<KnownFacts>;
}

/** Without a single author there is no DMARC policy. `from-header` reports what is wrong with From. */
function isInQuestion(dmarc: Authentication["dmarc"]): boolean {
  return dmarc.known || dmarc.why !== "parser-failed";
}

function toSession({ session, connectedFrom, message, receivedAt, judgedFrom, receiver }: Discovered): Session {
  const { clientAddress } = session;
  return {
    ...session,
    isPublic: clientAddress !== null && !isFromPrivate(session),
    ...(connectedFrom !== undefined && { connectedFrom }),
    isLooped: session.looped === true && session.laboratory === undefined,
    receivedAt,
    isReceptionKnown: judgedFrom !== undefined && judgedFrom !== "arrival" && judgedFrom !== "unusable",
    sizeBytes: message.sizeBytes,
    receiver,
    conduct: toConduct(session),
  };
}

// The fact `dkimKeys` of a message: the keys of its signatures.

/** Each key once, without keys that DNS did not return or that were not looked up. */
export function toSignatureKeys({ signatures }: Dkim): PublishedKey[] {
  const keys = new Map<string, PublishedKey>();
  for (const { key, selector, domain } of signatures)
    if (key !== null && selector !== null && domain !== null)
      keys.set(key.name, { ...key, selector, domain, source: "signature" });
  return [...keys.values()];
}

// Sentences about the parts of a message that were over a limit and not read.

type Words = { readonly thing: string; readonly unit: "bytes" | "" };

const words: Readonly<Record<Cut["what"], Words>> = {
  headerBytes: { thing: "the header section", unit: "bytes" },
  headerFields: { thing: "header fields", unit: "" },
  fieldBytes: { thing: "a header field", unit: "bytes" },
  partHeaderBytes: { thing: "the header section of a part", unit: "bytes" },
  allPartHeaderBytes: { thing: "the header sections of all parts", unit: "bytes" },
  parts: { thing: "MIME parts", unit: "" },
  nesting: { thing: "levels of nested MIME parts", unit: "" },
  delimiters: { thing: "possible boundary lines", unit: "" },
  boundaryLength: { thing: "a boundary", unit: "bytes" },
  parameterBytes: { thing: "the parameters of a header field", unit: "bytes" },
  htmlBytes: { thing: "the HTML", unit: "bytes" },
  textBytes: { thing: "the text", unit: "bytes" },
  mailboxes: { thing: "addresses in a header field", unit: "" },
  faults: { thing: "MIME faults", unit: "" },
  attachments: { thing: "attachments", unit: "" },
  archiveEntries: { thing: "files in an archive", unit: "" },
  inflatedBytes: { thing: "a compressed file", unit: "bytes" },
};

export function toShortened(cuts: readonly Cut[]): string[] {
  return cuts.map(({ what, bound, actual }) => {
    const { thing, unit } = words[what];
    const read = actual === null ? `${bound}` : `${bound} of ${actual}`;
    return unit === "bytes"
      ? `Only the first ${read} bytes of ${thing} were read.`
      : `Only the first ${read} ${thing} were read.`;
  });
}
