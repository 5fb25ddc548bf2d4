// Compares two messages and their senders. A report keeps a message's headers and link hosts, but not its text. Values
// that are unique to each message, such as Message-ID and Received, don't count.

import type { Fact } from "../checks/fact.ts";
import { volumeWords } from "../checks/volume.ts";
import { decodedText } from "../mail/headers/encoded-words.ts";
import { readHeaderSection } from "../mail/headers/fields.ts";
import { hasOwnSession } from "../mail/session/doors.ts";
import { toAssumedWords } from "../mail/session/outgoing.ts";
import type { SmtpSession } from "../mail/session/session.ts";
import { toStorableCut } from "../mail/text/bounds.ts";
import { type Change, changeOf } from "./changes.ts";
import headers from "./compared-headers.json" with { type: "json" };
import type { Report } from "./report.ts";

/** A report and the details of its test. */
export type Side = {
  readonly report: Report;
  readonly session: SmtpSession;
  readonly receivedAt: number;
  readonly label: string | null;
};

export function compareMail({ report: before }: Side, { report: after }: Side): Change[] {
  return [
    ...changeOf("The subject", before.subject, after.subject),
    ...changeOf("From", before.from, after.from),
    ...compareBodies(before.bodyKey, after.bodyKey),
    ...changeOf("The DKIM signature", toSignatures(before), toSignatures(after)),
    ...compareLinkHosts(before.linkHosts, after.linkHosts),
    ...compareHeaders(before.rawHeaders, after.rawHeaders),
  ];
}

export function isSameMessage(before: Side, after: Side): boolean {
  return (
    before.receivedAt === after.receivedAt &&
    before.report.bodyKey === after.report.bodyKey &&
    before.report.rawHeaders === after.report.rawHeaders
  );
}

/** Used when nothing that is compared differs. */
export const ownThings: Change = {
  what: "Details unique to each message",
  before: null,
  after: null,
  says: "The messages differ only in details that are unique to each: Date, Message-ID, Received lines, and the SMTP session.",
};

function compareBodies(before: string, after: string): Change[] {
  return before === after ? [] : [{ what: "The body", before, after, says: "The body changed." }];
}

function toSignatures({ authentication: { dkim } }: Report): string | null {
  const signatures = dkim.known ? dkim.value.signatures.filter(({ assumed }) => !assumed) : [];
  const words = signatures.map(
    ({ domain, selector, algorithm }) => `${selector ?? "?"} of ${domain ?? "?"}, ${algorithm ?? "?"}`,
  );
  return orNull(words.sort().join("; "));
}

function compareLinkHosts(before: Report["linkHosts"], after: Report["linkHosts"]): Change[] {
  if (!before || !after) return [];
  return changeOf("The list of linked hosts", orNull(before.join(", ")), orNull(after.join(", ")));
}

/** Compared above, or unique to each message. */
const untold: ReadonlySet<string> = new Set(headers.untold);
const maxHeaders = 40;
const maxCharacters = 500;

function compareHeaders(before: string, after: string): Change[] {
  if (before === after) return [];
  const earlier = readFields(before);
  const later = readFields(after);
  const changes = [...new Set([...later.keys(), ...earlier.keys()])].flatMap((key) => {
    const was = earlier.get(key);
    const is = later.get(key);
    return changeOf(is?.name ?? was?.name ?? key, was?.text ?? null, is?.text ?? null);
  });
  const more = changes.length - maxHeaders;
  if (more <= 0) return changes;
  const says = `More headers differ (${more}).`;
  return [...changes.slice(0, maxHeaders), { what: "More headers", before: null, after: null, says }];
}

type Field = { readonly name: string; readonly text: string };

function readFields(rawHeaders: string): ReadonlyMap<string, Field> {
  const { fields } = readHeaderSection(Buffer.from(rawHeaders));
  const byName = Map.groupBy(fields, ({ name }) => name.toLowerCase());
  return new Map(
    [...byName]
      .filter(([key]) => !untold.has(key))
      .map(([key, alike]) => {
        const texts = alike.map((field) => withoutBoundary(decodedText(field)));
        return [key, { name: alike[0]?.name ?? key, text: toStorableCut(texts.join("\n"), maxCharacters) }];
      }),
  );
}

/** Boundaries are random for each message. */
function withoutBoundary(text: string): string {
  return text.replace(/; ?boundary=("[^"]{0,100}"|[^;\s]{1,100})/i, "");
}

export function compareSenders(before: Side, after: Side): Change[] {
  return [
    ...changeOf("The assumed outgoing server", toAssumed(before), toAssumed(after)),
    ...compareKnown("The sending IP address", before.session.clientAddress, after.session.clientAddress),
    ...compareKnown("The reverse DNS name", toReverseName(before), toReverseName(after)),
    ...compareKnown("The HELO name", before.session.helo, after.session.helo),
    ...compareKnown("The TLS connection", toTls(before), toTls(after)),
    ...compareKnown("The return-path domain", toEnvelopeDomain(before), toEnvelopeDomain(after)),
  ];
}

function toAssumed({ report: { authentication } }: Side): string {
  return authentication.assumed ? toAssumedWords(authentication.assumed).replace(/^Assumed: your mail /, "") : "none";
}

/** A value that is unknown on one side is not a difference. */
function compareKnown(what: string, before: string | null, after: string | null): Change[] {
  return before === null || after === null ? [] : changeOf(what, before, after);
}

function toReverseName({ report }: Side): string | null {
  const { ptr } = report.surroundings;
  return ptr.known ? (ptr.value.confirmed[0] ?? ptr.value.names[0] ?? "none") : null;
}

function toTls({ session }: Side): string | null {
  const { tls } = session;
  if (!hasOwnSession(session)) return null;
  return tls ? `${tls.version}, ${tls.cipher}` : "none";
}

function toEnvelopeDomain({ session: { mailFrom } }: Side): string | null {
  if (mailFrom === null) return null;
  return mailFrom === "" ? "none" : mailFrom.slice(mailFrom.lastIndexOf("@") + 1).toLowerCase();
}

/** User settings, other mail, the operator's configuration, and lookups skipped for lack of time. */
export function compareCircumstances(one: Side, other: Side): Change[] {
  const [before, after] = [one.report, other.report];
  return [
    ...changeOf("The label", one.label, other.label),
    ...changeOf("The message type set manually", toSaidKind(before), toSaidKind(after)),
    ...changeOf("Your sending volume", toVolumeWords(before), toVolumeWords(after)),
    ...compareKnown("The number of earlier messages with this Message-ID", toReuses(before), toReuses(after)),
    ...changeOf("The list of usable blocklists", toLists(before), toLists(after)),
    ...changeOf("The spam filter scores", toScans(before), toScans(after)),
    ...changeOf("The malware scan", toMalwareWords(before), toMalwareWords(after)),
    ...changeOf("The number of skipped lookups", toUnasked(before), toUnasked(after)),
  ];
}

function toSaidKind({ judgment: { kind } }: Report): string | null {
  return kind?.overridden ? kind.kind : null;
}

function toVolumeWords({ judgment: { volume = null } }: Report): string | null {
  return volume && volumeWords[volume];
}

function toReuses({ analysis: { history } }: Report): string | null {
  return history.known ? String(history.value.sameMessageId) : null;
}

function toLists({ analysis: { lists } }: Report): string | null {
  const fit = lists.filter(({ unfit }) => unfit === null).map(({ zone }) => zone);
  return orNull([...new Set(fit)].sort().join(", "));
}

function toScans({ analysis: { scanners } }: Report): string | null {
  const words = scanners.flatMap(({ of, fact }) => (fact.known ? [`${of} ${toScore(fact)}`] : []));
  return orNull(words.sort().join(", "));
}

function toScore({ value }: Extract<Fact<{ score: number; threshold: number }>, { known: true }>): string {
  return `${value.score}/${value.threshold}`;
}

/** Null if it was turned off or unknown, as with other scanners. */
function toMalwareWords({ analysis: { malware } }: Report): string | null {
  if (!malware?.known) return null;
  const found = malware.value.files.flatMap(({ fact }) => (fact.known ? (fact.value.signature ?? []) : []));
  if (found.length > 0) return [...new Set(found)].sort().join(", ");
  return malware.value.files.every(({ fact }) => fact.known) ? "nothing found" : "not completed";
}

/** Depends on how fast DNS and other servers answered. */
function toUnasked({ analysis: { dns, unasked } }: Report): string {
  return String(dns.filter(({ status }) => status === "budget").length + unasked.length);
}

function orNull(text: string): string | null {
  return text === "" ? null : text;
}
