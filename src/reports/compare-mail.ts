// What is different in two messages, and in who sent them. A report keeps a message's header section and what links name,
// not its text; what no two messages share, like a Message-ID or a Received line, is no difference.

import type { Fact } from "../checks/fact.ts";
import { volumeWords } from "../checks/volume.ts";
import { decodedText } from "../mail/headers/encoded-words.ts";
import { readHeaderSection } from "../mail/headers/fields.ts";
import type { SmtpSession } from "../mail/session/session.ts";
import { toStorableCut } from "../mail/text/bounds.ts";
import { type Change, changeOf } from "./changes.ts";
import type { Report } from "./report.ts";

/** A report, with what was known of its test besides. */
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
    ...changeOf("What the links name", toLinkHosts(before), toLinkHosts(after)),
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

/** What two messages differ in when nothing that is compared differs. */
export const ownThings: Change = {
  what: "What each message has of its own",
  before: null,
  after: null,
  says: "The messages differ only in what each has of its own: Date, Message-ID, Received lines, when and how it was handed over.",
};

function compareBodies(before: string, after: string): Change[] {
  return before === after ? [] : [{ what: "The body", before, after, says: "The body is another one." }];
}

function toSignatures({ authentication: { dkim } }: Report): string | null {
  const signatures = dkim.known ? dkim.value.signatures : [];
  const words = signatures.map(
    ({ domain, selector, algorithm }) => `${selector ?? "?"} of ${domain ?? "?"}, ${algorithm ?? "?"}`,
  );
  return orNull(words.sort().join("; "));
}

function toLinkHosts({ surroundings: { linkHosts } }: Report): string | null {
  return orNull(
    linkHosts
      .map(({ of }) => of)
      .sort()
      .join(", "),
  );
}

/** Told above, or each message's own. */
const untold: ReadonlySet<string> = new Set([
  ...["subject", "from", "dkim-signature", "message-id", "date", "received", "return-path", "x-received"],
  ...["delivered-to", "x-original-to", "authentication-results", "received-spf"],
  ...["arc-seal", "arc-message-signature", "arc-authentication-results"],
]);
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
  const says = `${more} more header fields differ.`;
  return [...changes.slice(0, maxHeaders), { what: "More header fields", before: null, after: null, says }];
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

/** Thrown by chance for each message. */
function withoutBoundary(text: string): string {
  return text.replace(/; ?boundary=("[^"]{0,100}"|[^;\s]{1,100})/i, "");
}

export function compareSenders(before: Side, after: Side): Change[] {
  return [
    ...compareKnown("The sending address", before.session.clientAddress, after.session.clientAddress),
    ...compareKnown("The sending host's name", toReverseName(before), toReverseName(after)),
    ...compareKnown("The name it greets with", before.session.helo, after.session.helo),
    ...compareKnown("The encryption", toTls(before), toTls(after)),
    ...compareKnown("The envelope domain", toEnvelopeDomain(before), toEnvelopeDomain(after)),
  ];
}

/** What is not known of one side is no difference. */
function compareKnown(what: string, before: string | null, after: string | null): Change[] {
  return before === null || after === null ? [] : changeOf(what, before, after);
}

function toReverseName({ report }: Side): string | null {
  const { ptr } = report.surroundings;
  return ptr.known ? (ptr.value.confirmed[0] ?? ptr.value.names[0] ?? "none") : null;
}

function toTls({ session: { source, tls } }: Side): string | null {
  if (source !== "smtp") return null;
  return tls ? `${tls.version}, ${tls.cipher}` : "none";
}

function toEnvelopeDomain({ session: { mailFrom } }: Side): string | null {
  if (mailFrom === null) return null;
  return mailFrom === "" ? "none" : mailFrom.slice(mailFrom.lastIndexOf("@") + 1).toLowerCase();
}

/** What a person said, what other mail showed, what the operator switched on, and what there was time to ask. */
export function compareCircumstances(one: Side, other: Side): Change[] {
  const [before, after] = [one.report, other.report];
  return [
    ...changeOf("The label", one.label, other.label),
    ...changeOf("The kind set by hand", toSaidKind(before), toSaidKind(after)),
    ...changeOf("How much you send", toVolumeWords(before), toVolumeWords(after)),
    ...compareKnown("Earlier messages with its Message-ID", toReuses(before), toReuses(after)),
    ...changeOf("Which blocklists could be asked", toLists(before), toLists(after)),
    ...changeOf("What the scanners say", toScans(before), toScans(after)),
    ...changeOf("The number of questions left unasked", toUnasked(before), toUnasked(after)),
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

/** Which depends on how quickly the world answered. */
function toUnasked({ analysis: { dns, unasked } }: Report): string {
  return String(dns.filter(({ status }) => status === "budget").length + unasked.length);
}

function orNull(text: string): string | null {
  return text === "" ? null : text;
}
