// What kind of message a test is: the first kind whose rule holds. Many services put List-Unsubscribe and click trackers
// into every stream, so a mark of a transaction (a code, an order, a password, a receipt) outweighs those; it does not
// outweigh what a sender writes of himself (List-Id, Precedence, a label).

import { toAsciiDomain } from "../mail/author-domain.ts";
import { isAwaySubject } from "../mail/auto-reply.ts";
import type { Html } from "../mail/html.ts";
import type { Links } from "../mail/links.ts";
import type { Message } from "../mail/message.ts";
import { toRegistrableDomain } from "../mail/registrable-domain.ts";
import type { Arc, Dkim } from "./authentication-facts.ts";
import { findEsp } from "./esp.ts";
import type { Fact } from "./fact.ts";
import { readForwarding } from "./forwarding.ts";
import type { Ptr } from "./infrastructure-facts.ts";
import type { Esp, Kind, KindFact } from "./kind.ts";
import { bulkEvidence, type Opening, offersIn, toOpening, transactionsIn } from "./kind-signs.ts";
import { programMailboxes } from "./kind-word-tables.ts";

export type KindEvidence = {
  readonly message: Message;
  /** Null for a message without HTML. */
  readonly html: Html | null;
  readonly links: Links | null;
  readonly session: { readonly mailFrom: string | null; readonly rcptTo: readonly string[] };
  readonly arc: Fact<Arc>;
  readonly dkim: Fact<Dkim>;
  readonly ptr: Fact<Ptr>;
  /** Of the address that it came to: `inbox+label@`. */
  readonly label: string | null;
  /** What a person said it is. */
  readonly override: Kind | null;
};

type Inferred = Pick<KindFact, "kind" | "reasons">;
type Fields = ReadonlyMap<string, string>;

export function inferKind(evidence: KindEvidence): KindFact {
  const { message, override } = evidence;
  const fields = firstFields(message);
  const fromDomain = authorDomainOf(message);
  const esp = readEsp(evidence, fields, fromDomain);
  const mailingList = isListPost(message, fields);
  const inferred = infer(evidence, fields, esp, mailingList);
  const forwarded = readForwarding({
    headers: message.headers,
    arc: evidence.arc,
    fromDomain,
    rcptTo: evidence.session.rcptTo,
    mailingList,
    esp: esp?.name ?? null,
  });
  return {
    ...(override === null ? inferred : overruled(override, inferred)),
    overridden: override !== null,
    forwarded,
    mailingList,
    esp,
  };
}

function firstFields({ headers }: Message): Fields {
  const fields = new Map<string, string>();
  for (const { key, value } of headers) if (!fields.has(key)) fields.set(key, value.trim());
  return fields;
}

function overruled(kind: Kind, inferred: Inferred): Inferred {
  const itself = `Set by hand; by itself it would be taken for ${inferred.kind}.`;
  return { kind, reasons: [itself, ...inferred.reasons] };
}

function infer(evidence: KindEvidence, fields: Fields, esp: Esp | null, mailingList: boolean): Inferred {
  const { message, label } = evidence;
  const reply = whyAutoReply(message, fields);
  if (reply !== null) return { kind: "auto-reply", reasons: [reply] };
  const declared = whyDeclaredBulk(fields, label, mailingList);
  if (declared.length > 0) return { kind: "bulk", reasons: declared };
  const opening = readOpening(evidence);
  const transactions = transactionsIn(opening, evidence.html?.structuredTypes ?? []);
  if (transactions.length > 0) return { kind: "transactional", reasons: transactions };
  if (fields.has("list-unsubscribe")) return { kind: "bulk", reasons: ["It has List-Unsubscribe."] };
  const signs = bulkEvidence({
    ...evidence,
    esp,
    hasFeedbackId: fields.has("feedback-id"),
    offers: offersIn(opening),
  });
  if (signs.length >= enoughSigns) return { kind: "bulk", reasons: signs };
  const programs = whyByProgram(message, fields, esp);
  if (programs.length > 0) return { kind: "transactional", reasons: programs };
  return { kind: "personal", reasons: ["It has no mark of a list, of a service or of a program."] };
}

const enoughSigns = 2;

function whyAutoReply(message: Message, fields: Fields): string | null {
  if (/^auto-(?:replied|notified)/i.test(fields.get("auto-submitted") ?? ""))
    return "Auto-Submitted says that it is an automatic reply.";
  for (const name of ["x-autoreply", "x-autorespond"])
    if (/^(?!no|false|0|$)/i.test(fields.get(name) ?? ""))
      return `It has ${name === "x-autoreply" ? "X-Autoreply" : "X-Autorespond"}.`;
  if (/^auto_?reply/i.test(fields.get("precedence") ?? ""))
    return "Precedence says that it is an automatic reply.";
  return message.inReplyTo.length > 0 && isAwaySubject(message.subject ?? "")
    ? "It answers a message, and its subject says that somebody is away."
    : null;
}

/** What a sender says of himself. */
function whyDeclaredBulk(fields: Fields, label: string | null, mailingList: boolean): string[] {
  const reasons: string[] = [];
  if (mailingList) reasons.push("It was posted to a mailing list.");
  if (fields.has("list-id")) reasons.push("It has List-Id.");
  if (/^(?:bulk|list)\b/i.test(fields.get("precedence") ?? ""))
    reasons.push(`It has Precedence: ${fields.get("precedence")?.slice(0, 4).toLowerCase()}.`);
  if (label?.toLowerCase() === "bulk") reasons.push("It came to an address with the label bulk.");
  return reasons;
}

const listFields = [
  "x-mailing-list",
  "x-mailman-version",
  "x-beenthere",
  "x-google-group-id",
  "x-listprocessor-version",
  "x-ml-name",
  "x-mlmmj-version",
];

/** Services for newsletters write List-Post too, but with a web address or NO, since nobody can post. */
function isListPost(message: Message, fields: Fields): boolean {
  return (
    /mailto:/i.test(fields.get("list-post") ?? "") ||
    /^(?:list|contact)\s/i.test(fields.get("mailing-list") ?? "") ||
    listFields.some((name) => fields.has(name)) ||
    behavesAsList(message, fields)
  );
}

/** Majordomo, LISTSERV and their kin write no field of their own. Two of three of their habits tell them. */
function behavesAsList({ replyTo, to }: Message, fields: Fields): boolean {
  const recipients = new Set(to.list.map(({ address }) => address.toLowerCase()));
  const signs = [
    /^(?:bulk|list)\b/i.test(fields.get("precedence") ?? "") || fields.has("list-id"),
    ownerOfList.test((fields.get("sender") ?? "").slice(0, maxPathLength)),
    replyTo.list.some(({ address }) => recipients.has(address.toLowerCase())),
  ];
  return signs.filter(Boolean).length >= 2;
}

const ownerOfList =
  /(?:^|[<\s"])(?:owner-[\w.+-]{1,64}|[\w.+-]{1,64}-(?:owner|bounces?|errors|request|admin))@/i;

function whyByProgram(message: Message, fields: Fields, esp: Esp | null): string[] {
  const reasons: string[] = [];
  if (esp) reasons.push(`${esp.name} sent it.`);
  if (/^auto-generated/i.test(fields.get("auto-submitted") ?? ""))
    reasons.push("Auto-Submitted says that a program made it.");
  const local = message.from.list[0]?.local?.toLowerCase().slice(0, 64) ?? "";
  const words = [local.replace(/[^\p{L}\p{N}]/gu, ""), ...local.split(/[-._+=]/)];
  if (words.some((word) => programMailboxes.has(word)))
    reasons.push(`Programs write from addresses like ${local}@.`);
  return reasons;
}

const openingLength = 500;

/** Told once of a message, because the placement asks for it too. */
export function readOpening(evidence: Pick<KindEvidence, "message" | "html">): Opening {
  const known = openings.get(evidence.message);
  if (known) return known;
  const opening = toOpening(openingOf(evidence));
  openings.set(evidence.message, opening);
  return opening;
}

const openings = new WeakMap<Message, Opening>();

/** The subject and the first words, in lower case. */
function openingOf({ message, html }: Pick<KindEvidence, "message" | "html">): string {
  const body =
    html?.visibleText.slice(0, 4 * openingLength).trim() ||
    (message.text?.text ?? "").slice(0, 4 * openingLength).trim();
  const text = `${(message.subject ?? "").slice(0, openingLength)}\n${body.slice(0, openingLength)}`;
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'");
}

function authorDomainOf({ from }: Message): string | null {
  const domain = from.list[0]?.domain ?? null;
  return domain === null ? null : toAsciiDomain(domain);
}

/** RFC 5321 §4.5.3.1.3, and more than twice that. */
const maxPathLength = 600;

function readEsp(
  { message, session, ptr, dkim }: KindEvidence,
  fields: Fields,
  fromDomain: string | null,
): Esp | null {
  const returnPath = session.mailFrom ?? fields.get("return-path") ?? "";
  const names = ptr.known ? ptr.value.confirmed : [];
  const signers = dkim.known ? dkim.value.signatures.flatMap(({ domain }) => domain ?? []) : [];
  const [, returnHost = ""] = /@([^@>\s]+)>?\s{0,9}$/.exec(returnPath.slice(0, maxPathLength)) ?? [];
  const domains = [returnHost, ...names, ...signers];
  const row = findEsp({ headers: message.headers, domains });
  if (row === null) return null;
  const isDedicated =
    fromDomain !== null &&
    names.some((name) => toRegistrableDomain(name) === toRegistrableDomain(fromDomain));
  return { name: row.name, shared: !isDedicated, transactional: row.transactional };
}
