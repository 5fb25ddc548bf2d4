// Decides what kind of message a test is. Fixed rules cover automatic replies, mailing list posts and the label. For all
// other mail the evidence is weighed, and the kind with the most points wins.
//
// Marks that provider rules ask for (an unsubscribe link or header, a Feedback-ID) don't count in `scoredAs`. Otherwise,
// adding what a rule asks for could cost points.

import { toAsciiDomain, toRegistrableDomain } from "../mail/headers/registrable-domain.ts";
import type { Html } from "../mail/html/page.ts";
import type { Links } from "../mail/links/links.ts";
import { isAwaySubject } from "../mail/mime/auto-reply.ts";
import type { Message } from "../mail/mime/message.ts";
import type { Arc, Dkim } from "./authentication-facts.ts";
import { findEsp } from "./esp.ts";
import type { Fact } from "./fact.ts";
import { readForwarding } from "./forwarding.ts";
import type { Ptr } from "./infrastructure-facts.ts";
import {
  type Esp,
  type Kind,
  type KindFact,
  type KindReason,
  type KindScores,
  type WeighedKind,
  weighedKinds,
} from "./kind.ts";
import { weighLook, weighMake } from "./kind-evidence.ts";
import { weighFields, weighLetter, weighListFields } from "./kind-letter.ts";
import { type Opening, toOpening } from "./kind-signs.ts";
import { type KindText, readKindText, weighWords } from "./kind-text.ts";

export type KindEvidence = {
  readonly message: Message;
  /** Null for a message without HTML. */
  readonly html: Html | null;
  readonly links: Links | null;
  readonly session: { readonly mailFrom: string | null; readonly rcptTo: readonly string[] };
  readonly arc: Fact<Arc>;
  readonly dkim: Fact<Dkim>;
  readonly ptr: Fact<Ptr>;
  /** The label of its test address: `inbox+label@`. */
  readonly label: string | null;
  /** The kind that a user set. */
  readonly override: Kind | null;
  /** The workspace's rule for its sender or label. */
  readonly rule?: KindRule | null;
};

export type KindRule = { readonly kind: Kind; readonly says: string };

type Inferred = Pick<KindFact, "kind" | "scoredAs" | "reasons" | "confidence" | "scores">;

export type Fields = ReadonlyMap<string, string>;

export function inferKind(evidence: KindEvidence): KindFact {
  const { message, override, rule = null } = evidence;
  const fields = firstFields(message);
  const fromDomain = authorDomainOf(message);
  const esp = readEsp(evidence, fields, fromDomain);
  const mailingList = isListPost(message, fields);
  const inferred = infer(evidence, fields, mailingList);
  const forwarded = readForwarding({
    headers: message.headers,
    arc: evidence.arc,
    fromDomain,
    rcptTo: evidence.session.rcptTo,
    mailingList,
    esp: esp?.name ?? null,
  });
  return {
    ...chosen(inferred, override, rule),
    source: override !== null ? "person" : rule !== null ? "rule" : "inferred",
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

/** A user's choice for this message comes before a workspace rule, and a rule before the inferred kind. */
function chosen(inferred: Inferred, override: Kind | null, rule: KindRule | null): Inferred {
  const detected = `Detected as ${inferred.kind}.`;
  if (override !== null) return settled(inferred, override, `Set manually. ${detected}`);
  return rule === null ? inferred : settled(inferred, rule.kind, `${rule.says} ${detected}`);
}

function settled(inferred: Inferred, kind: Kind, says: string): Inferred {
  const reasons = [{ text: says, points: decisive, kind }, ...inferred.reasons];
  return { ...inferred, kind, scoredAs: kind, reasons, confidence: 1 };
}

/** Points of a sign that decides alone. */
const decisive = 10;

const declaredConfidence = 0.97;

function infer(evidence: KindEvidence, fields: Fields, mailingList: boolean): Inferred {
  const { message, label } = evidence;
  const reply = whyAutoReply(message, fields);
  if (reply !== null) return declared("auto-reply", [reply]);
  const bulk = whyDeclaredBulk(label, mailingList);
  if (bulk.length > 0) return declared("bulk", bulk);
  const text = readKindText(evidence);
  const reasons = weigh(evidence, fields, text);
  const scores = sumsOf(reasons);
  const scoredAs = leading(scores);
  const marks = marksIn(evidence, fields, scoredAs, text.passesOn);
  const marked = sumsOf([...reasons, ...marks]);
  // Mail with an unsubscribe link isn't personal. It is still scored as personal mail.
  const kind = scoredAs === "personal" ? leading(marked) : scoredAs;
  return {
    kind,
    scoredAs,
    reasons: [...reasons, ...marks].sort((one, other) => weightOf(other) - weightOf(one)),
    confidence: confidenceIn(marked, kind),
    scores: marked,
  };
}

function weightOf({ points }: KindReason): number {
  return Math.abs(points ?? 0);
}

function declared(kind: Kind, says: readonly string[]): Inferred {
  const reasons = says.map((text) => ({ text, points: decisive, kind }));
  return { kind, scoredAs: kind, reasons, confidence: declaredConfidence, scores: null };
}

function weigh(evidence: KindEvidence, fields: Fields, text: KindText): KindReason[] {
  const { message, html, links } = evidence;
  const esp = findEsp({ headers: message.headers, domains: [returnHostOf(evidence, fields)] });
  const { body, letter, passesOn } = text;
  const make = { message, html, links, fields, esp, body, letter, passesOn };
  const words = weighWords(text);
  return [
    ...weighLook(make, words),
    ...weighMake(make),
    ...words,
    ...weighLetter(letter),
    ...weighFields(body),
    ...weighListFields(fields),
  ];
}

function sumsOf(reasons: readonly KindReason[]): Record<WeighedKind, number> {
  const sums = { bulk: 0, transactional: 0, personal: 0 };
  for (const { kind, points } of reasons) if (kind !== "auto-reply") sums[kind] += points ?? 0;
  return sums;
}

/** A tie goes to the first kind, which is bulk. */
function leading(scores: KindScores): WeighedKind {
  let best: WeighedKind = "bulk";
  for (const kind of weighedKinds) if (scores[kind] > scores[best]) best = kind;
  return best;
}

/** A lead of this many points makes a kind about 2.7 times as likely. */
const temperature = 1.6;

function confidenceIn(scores: KindScores, kind: WeighedKind): number {
  const odds = weighedKinds.map((one) => Math.exp((scores[one] - scores[kind]) / temperature));
  return Math.round(100 / odds.reduce((sum, each) => sum + each, 0)) / 100;
}

/** These marks confirm bulk mail, unless the link is in a forwarded message. Services add them to receipts too, so they don't count in transactional mail. */
function marksIn({ links, html }: KindEvidence, fields: Fields, kind: WeighedKind, passesOn: boolean): KindReason[] {
  const weight = kind === "transactional" ? 0 : 1;
  const marks: { readonly text: string; readonly points: number }[] = [];
  if (fields.has("list-unsubscribe")) marks.push({ text: "It has a List-Unsubscribe header.", points: 6 });
  const shows = links?.list.some(
    ({ role, visible, place }) => role === "unsubscribe" && visible && (html === null || place === "html"),
  );
  if (shows === true && !passesOn) marks.push({ text: "It has a visible unsubscribe link.", points: 4 });
  if (fields.has("feedback-id")) marks.push({ text: "It has a Feedback-ID header.", points: 3 });
  return marks.map(({ text, points }) => ({ text, points: points * weight, kind: "bulk" }));
}

function whyAutoReply(message: Message, fields: Fields): string | null {
  if (/^auto-(?:replied|notified)/i.test(fields.get("auto-submitted") ?? ""))
    return "Auto-Submitted marks it as an automatic reply.";
  for (const name of ["x-autoreply", "x-autorespond"])
    if (/^(?!no|false|0|$)/i.test(fields.get(name) ?? ""))
      return `It has an ${name === "x-autoreply" ? "X-Autoreply" : "X-Autorespond"} header.`;
  if (/^auto_?reply/i.test(fields.get("precedence") ?? "")) return "Precedence marks it as an automatic reply.";
  return message.inReplyTo.length > 0 && isAwaySubject(message.subject ?? "")
    ? "It is a reply, and its subject looks like an out-of-office notice."
    : null;
}

/** Signs that the sender or the user declares. */
function whyDeclaredBulk(label: string | null, mailingList: boolean): string[] {
  const reasons: string[] = [];
  if (mailingList) reasons.push("It was posted to a mailing list.");
  if (label?.toLowerCase() === "bulk") reasons.push('It was sent to a test address with the label "bulk".');
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

/** Newsletter services also add List-Post, but with a web address or NO, because recipients can't post. */
function isListPost(message: Message, fields: Fields): boolean {
  return (
    /mailto:/i.test(fields.get("list-post") ?? "") ||
    /^(?:list|contact)\s/i.test(fields.get("mailing-list") ?? "") ||
    listFields.some((name) => fields.has(name)) ||
    behavesAsList(message, fields)
  );
}

/** Majordomo, LISTSERV and similar software add no specific header. Two of three typical signs identify them. */
function behavesAsList({ replyTo, to }: Message, fields: Fields): boolean {
  const recipients = new Set(to.list.map(({ address }) => address.toLowerCase()));
  const signs = [
    /^(?:bulk|list)\b/i.test(fields.get("precedence") ?? "") || fields.has("list-id"),
    ownerOfList.test((fields.get("sender") ?? "").slice(0, maxPathLength)),
    replyTo.list.some(({ address }) => recipients.has(address.toLowerCase())),
  ];
  return signs.filter(Boolean).length >= 2;
}

const ownerOfList = /(?:^|[<\s"])(?:owner-[\w.+-]{1,64}|[\w.+-]{1,64}-(?:owner|bounces?|errors|request|admin))@/i;

const openingLength = 500;

/** Cached per message, because the placement prediction uses it too. */
export function readOpening(evidence: Pick<KindEvidence, "message" | "html">): Opening {
  const known = openings.get(evidence.message);
  if (known) return known;
  const opening = toOpening(openingOf(evidence));
  openings.set(evidence.message, opening);
  return opening;
}

const openings = new WeakMap<Message, Opening>();

/** The subject and the first words, in lowercase. */
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

/** More than twice the limit of RFC 5321 §4.5.3.1.3. */
const maxPathLength = 600;

function returnHostOf({ session }: KindEvidence, fields: Fields): string {
  const returnPath = session.mailFrom ?? fields.get("return-path") ?? "";
  return /@([^@>\s]+)>?\s{0,9}$/.exec(returnPath.slice(0, maxPathLength))?.[1] ?? "";
}

function readEsp(evidence: KindEvidence, fields: Fields, fromDomain: string | null): Esp | null {
  const { message, ptr, dkim } = evidence;
  const names = ptr.known ? ptr.value.confirmed : [];
  const signers = dkim.known ? dkim.value.signatures.flatMap(({ domain }) => domain ?? []) : [];
  const domains = [returnHostOf(evidence, fields), ...names, ...signers];
  // Every service signs, and anybody can write its header.
  const isUnsigned = dkim.known && dkim.value.signatures.length === 0;
  const row = findEsp({ headers: isUnsigned ? [] : message.headers, domains });
  if (row === null) return null;
  const isDedicated =
    fromDomain !== null && names.some((name) => toRegistrableDomain(name) === toRegistrableDomain(fromDomain));
  return { name: row.name, shared: !isDedicated, transactional: row.transactional };
}
