// What the make of a message says of its kind: its layout, links, sender, headers and thread. Nothing that the rules ask for
// counts (an unsubscribe link, alternative texts, a plain-text part, DKIM, reverse DNS …), so that adding it changes no kind.

import type { Html } from "../mail/html/page.ts";
import type { Links } from "../mail/links/links.ts";
import type { Message } from "../mail/mime/message.ts";
import { socialHosts } from "../mail/urls/link-tables.ts";
import { findDomain } from "../mail/urls/patterns.ts";
import { isPrivateHost } from "./content/private-host.ts";
import type { Esp, KindReason, WeighedKind } from "./kind.ts";
import { type Letter, toNames } from "./kind-letter.ts";
import { answering } from "./kind-text.ts";
import { campaignMailboxes, deskMailboxes } from "./kind-weight-tables.ts";
import { offerTypes, programMailboxes, transactionTypes } from "./kind-word-tables.ts";

type Fields = ReadonlyMap<string, string>;

type Make = {
  readonly message: Message;
  readonly html: Html | null;
  readonly links: Links | null;
  readonly fields: Fields;
  /** Told by header fields and the return path alone. */
  readonly esp: Pick<Esp, "name" | "transactional"> | null;
  /** Of its own words, in lower case. */
  readonly body: string;
  readonly letter: Letter;
  /** Another message follows its own words: what is linked and laid out there says nothing of this one. */
  readonly passesOn: boolean;
};

function reason(kind: WeighedKind, points: number, text: string): KindReason {
  return { text, points, kind };
}

export function weighMake(make: Make): KindReason[] {
  const written = isByMailProgram(make);
  return [
    ...(make.html === null ? weighPlain(make) : weighLayout(make, make.html, written)),
    ...(make.passesOn ? [] : weighLinks(make, written)),
    ...weighSender(make),
    ...weighHeaders(make),
    ...weighThread(make),
  ];
}

const maxMarkup = 20_000;
/** What Gmail, Outlook, Apple Mail, Thunderbird, Yahoo and Proton leave in what people write with them. */
const programMarks =
  /class=["']?(?:gmail_(?:quote|signature|default|attr)|Mso(?:Normal|PlainText)|moz-(?:cite|signature|forward|txt)|Apple-(?:Mail|interchange|converted|tab)|yahoo|ydp|protonmail|zmail|WordSection1|elementToProof|x_Mso|OutlookMessageHeader|EmailQuote)|<div dir="?(?:ltr|rtl|auto)"?>|id=["']?(?:divRplyFwdMsg|appendonsend|AppleMailSignature|LPlnk|isForwardContent|mail-editor)|-webkit-nbsp-mode: ?space|webkit-line-break: ?after-white-space|type=["']?cite\b/i;

function isByMailProgram({ message }: Make): boolean {
  return message.html !== null && programMarks.test(message.html.text.slice(0, maxMarkup));
}

const manyLines = 3;

function weighPlain({ message, body }: Make): KindReason[] {
  if (message.isEmpty) return [reason("personal", 2, "It has no HTML.")];
  const reasons = [reason("personal", 2.75, "It is plain text, as people write.")];
  const ruled = body.match(/^[^\S\n]{0,20}(?:[-=_*~#+]{8,}|(?:[-=*~+] ?){8,})[^\S\n]{0,20}$/gm)?.length ?? 0;
  if (ruled >= manyLines)
    reasons.push(reason("bulk", 2, `It is divided by ${ruled} ruled lines, as newsletters are.`));
  return reasons;
}

function weighLayout(make: Make, html: Html, written: boolean): KindReason[] {
  if (written)
    return [reason("personal", 4, "Its HTML is of a program in which people write mail (Outlook, Gmail …).")];
  const reasons = [reason("bulk", 1.5, "It is HTML; in doubt that counts as sent to many.")];
  if (make.passesOn) return reasons;
  if (isLetter(make, html)) {
    reasons.push(reason("personal", 3, "It is simple HTML, written like a letter from one to another."));
    return reasons;
  }
  const { layout } = html.tables;
  if (layout >= 3) reasons.push(reason("personal", -4, `It is laid out with ${layout} tables.`));
  else if (layout > 0) reasons.push(reason("personal", -2, "It is laid out with a table."));
  const pictures = html.elements.get("img") ?? 0;
  if (pictures >= 6) reasons.push(reason("bulk", 2, `It has ${pictures} pictures.`));
  else if (pictures >= 3) reasons.push(reason("bulk", 1, `It has ${pictures} pictures.`));
  else if (pictures > 0) reasons.push(reason("personal", -1, "It has a picture."));
  const conditional = html.comments.conditional > 0;
  if (html.styles.hasMediaQueries || html.styles.rules >= 5 || conditional)
    reasons.push(reason("personal", -3, "It has style sheets, as templates do."));
  if (html.elements.get("center") || html.elements.get("font") || html.elements.get("map"))
    reasons.push(reason("bulk", 1, "Its HTML is made like a web page."));
  return reasons;
}

const mostTables = 2;
const mostPictures = 3;
const mostRules = 4;

/** A closing and the name of a person whose address it is; a logo beside them, and a table that holds both, are theirs. */
function isLetter({ letter, message }: Make, { tables, elements, styles, comments }: Html): boolean {
  const isSimple =
    tables.layout <= mostTables &&
    (elements.get("img") ?? 0) <= mostPictures &&
    styles.rules <= mostRules &&
    !styles.hasMediaQueries &&
    comments.conditional === 0;
  if (!isSimple || !letter.isSigned) return false;
  if (letter.greets === "crowd" || (letter.greets !== "name" && letter.leave === null)) return false;
  const [author] = message.from.list;
  return bearsAny(author?.name ?? "", author?.local?.toLowerCase().slice(0, 64) ?? "");
}

/** Addresses in plain text that are not the way out; those sentences are not in `body`. */
function writtenLinks(body: string): number {
  return new Set(body.match(/\bhttps?:\/\/[^\s<>"')]{4,200}/g)).size;
}

function distinctLinks(list: Links["list"]): number {
  return new Set(list.map(({ href, text }) => `${href} ${text}`)).size;
}

function weighCount(count: number, isHtml: boolean, written: boolean): KindReason[] {
  const says = `It has ${count} links.`;
  if (!written && count >= 12) return [reason("bulk", isHtml ? 2 : 3, says)];
  if (!written && count >= 6) return [reason("bulk", isHtml ? 1 : 1.5, says)];
  return !isHtml && count > 0 ? [reason("personal", -1, "It links to the web.")] : [];
}

function weighTracking(web: Links["list"], esp: Make["esp"]): KindReason[] {
  const tracked = web.filter(({ tracker, href }) => tracker !== null || isCampaign(href));
  const count = new Set(tracked.map(({ href }) => href)).size;
  if (count === 0) return [];
  const reasons = [reason("personal", -2, "People do not count clicks.")];
  // A service for programs counts those of every message.
  if (esp?.transactional !== true)
    reasons.push(
      reason("bulk", count >= 3 ? 3 : 1.5, `Of its links ${count} count clicks or name a campaign.`),
    );
  return reasons;
}

function weighLinks({ html, links, body, esp }: Make, written: boolean): KindReason[] {
  const list = (links?.list ?? []).filter(
    ({ place, role }) => role !== "unsubscribe" && (html === null || place === "html"),
  );
  const web = list.filter(({ host }) => host !== null);
  const reasons = weighTracking(web, esp);
  reasons.push(
    ...weighCount(html === null ? writtenLinks(body) : distinctLinks(list), html !== null, written),
  );
  if (web.some(isPrivateHost))
    reasons.push(reason("transactional", 2, "It links to a device in a private network."));
  const social = new Set(web.flatMap(({ host }) => (host && findDomain(host, socialHosts)) ?? []));
  if (social.size >= 2 && !written)
    reasons.push(reason("bulk", 0.5, `It links to ${[...social].slice(0, 3).join(", ")}.`));
  return reasons;
}

function isCampaign(href: string): boolean {
  return /[?&;]utm_(?:campaign|source|medium)=/.test(href);
}

function weighSender({ message: { from, to }, esp }: Make): KindReason[] {
  const reasons: KindReason[] = [];
  const [author] = from.list;
  const local = author?.local?.toLowerCase().slice(0, 64) ?? "";
  const words = [local.replace(/[^\p{L}\p{N}]/gu, ""), ...local.split(/[-._+=\d]+/)];
  if (words.some((word) => campaignMailboxes.has(word)))
    reasons.push(
      reason("bulk", 4, `Campaigns are sent from addresses like ${local}@.`),
      reason("personal", -4, `No person writes from ${local}@.`),
    );
  else if (words.some((word) => programMailboxes.has(word)))
    reasons.push(
      reason("transactional", 2, `Programs write from addresses like ${local}@.`),
      reason("personal", -4, `No person writes from ${local}@.`),
    );
  else if (words.some((word) => deskMailboxes.has(word)))
    reasons.push(reason("personal", -2, `The address ${local}@ is a desk, not a person.`));
  else if (bearsName(author?.name ?? "", local))
    reasons.push(reason("personal", 1.5, "Its sender's address bears a person's name."));
  if (esp !== null)
    reasons.push(
      reason(
        esp.transactional ? "transactional" : "bulk",
        esp.transactional ? 2.5 : 4,
        `${esp.name} sent it.`,
      ),
      reason("personal", -4, "Services send what programs or campaigns bring."),
    );
  if (to.count === 0 || to.groups.length > 0)
    reasons.push(reason("bulk", 1, "To names nobody, as when many get the same."));
  return reasons;
}

/** `jane.doe@` or `jdoe@` of Jane Doe. */
function bearsName(name: string, local: string): boolean {
  const parts = toNames(name);
  return parts.length >= 2 && parts.length <= 4 && parts.some((part) => local.includes(part));
}

/** `hans.mueller@` of Müller, too. */
function bearsAny(name: string, local: string): boolean {
  return toNames(name).some((part) => local.includes(part) || local.includes(toAscii(part)));
}

function toAscii(part: string): string {
  return part.normalize("NFD").replace(/\p{M}/gu, "");
}

const mailPrograms =
  /thunderbird|mozilla|apple mail|iphone mail|ipad mail|outlook|mutt|evolution|kmail|gnus|alpine|\bpine\b|claws|sylpheed|eudora|roundcube|squirrelmail|horde|imp\b|mailmate|spark|airmail|foxmail|nmh|\bmh\b|exmh|\bvm\b|the bat|lotus notes|zimbra|k-9|fairemail|protonmail|tutanota|ximian|pegasus|emacs|balsa|mulberry|webmail/i;

function weighHeaders({ fields, html }: Make): KindReason[] {
  const reasons: KindReason[] = [];
  if (/^auto-generated/i.test(fields.get("auto-submitted") ?? ""))
    reasons.push(reason("transactional", 4, "Auto-Submitted says that a program made it."));
  const program = (fields.get("user-agent") ?? fields.get("x-mailer") ?? "").slice(0, 200);
  const isPersons = mailPrograms.test(program) || fields.has("x-ms-has-attach") || fields.has("thread-topic");
  if (isPersons) reasons.push(reason("personal", 1.5, "A program in which people write mail sent it."));
  const types = html?.structuredTypes ?? [];
  const offer = types.find((name) => offerTypes.has(name));
  const deed = types.find((name) => transactionTypes.has(name));
  if (offer !== undefined) reasons.push(reason("bulk", 4, `Its mark-up is of the type ${offer}.`));
  else if (deed !== undefined)
    reasons.push(reason("transactional", 6, `Its mark-up is of the type ${deed}.`));
  return reasons;
}

const quoting =
  /^>|^-{2,}\s?(?:original message|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|wiadomość oryginalna|ursprungligt meddelande)/im;
function weighThread({ message, passesOn }: Make): KindReason[] {
  const reasons: KindReason[] = [];
  const answers = message.inReplyTo.length > 0 || message.references.length > 0;
  if (answers) reasons.push(reason("personal", 5, "It answers another message."));
  const quotes =
    quoting.test((message.text?.text ?? "").slice(0, maxMarkup)) && message.html === null
      ? true
      : /<blockquote[^>]{0,200}(?:cite|gmail_quote)|gmail_quote|divRplyFwdMsg/i.test(
          (message.html?.text ?? "").slice(0, maxMarkup),
        );
  if (quotes) reasons.push(reason("personal", 3, "It quotes what it answers."));
  else if (passesOn) reasons.push(reason("personal", 3, "It passes on another message, as people do."));
  if ((answers || quotes || passesOn) && answering.test(message.subject ?? ""))
    reasons.push(reason("personal", 1, "Its subject answers another."));
  return reasons;
}
