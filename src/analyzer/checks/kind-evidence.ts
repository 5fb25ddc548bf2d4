// Evidence for the kind from a message's layout, links, sender, headers and thread. Things that provider rules ask for
// (unsubscribe link, alt texts, plain-text part, DKIM, reverse DNS, …) don't count, so adding them never changes the kind.

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
  /** Identified only by header fields and the return path. */
  readonly esp: Pick<Esp, "name" | "transactional"> | null;
  /** The message's own words, in lowercase. */
  readonly body: string;
  readonly letter: Letter;
  /** Another message follows the message's own words, so links and layout there don't count. */
  readonly passesOn: boolean;
};

function reason(kind: WeighedKind, points: number, text: string): KindReason {
  return { text, points, kind };
}

export function weighMake(make: Make): KindReason[] {
  return [...weighSender(make), ...weighHeaders(make), ...weighThread(make)];
}

/** Points that the words need before the look counts no more. */
const leastWords = 4;

/** Services send receipts and notices in the template of their campaigns, so clear words count and its look does not. */
export function weighLook(make: Make, words: readonly KindReason[]): KindReason[] {
  const written = isByMailProgram(make);
  const reasons = [
    ...(make.html === null ? weighPlain(make) : weighLayout(make, make.html, written)),
    ...(make.passesOn ? [] : weighLinks(make, written)),
  ];
  const lead = words.reduce((sum, { kind, points }) => {
    if (kind === "personal") return sum;
    return kind === "transactional" ? sum + (points ?? 0) : sum - (points ?? 0);
  }, 0);
  return lead < leastWords ? reasons : reasons.filter(({ kind }) => kind !== "bulk");
}

const maxMarkup = 20_000;
/** Traces that Gmail, Outlook, Apple Mail, Thunderbird, Yahoo and Proton leave in HTML that people write. */
const programMarks =
  /class=["']?(?:gmail_(?:quote|signature|default|attr)|Mso(?:Normal|PlainText)|moz-(?:cite|signature|forward|txt)|Apple-(?:Mail|interchange|converted|tab)|yahoo|ydp|protonmail|zmail|WordSection1|elementToProof|x_Mso|OutlookMessageHeader|EmailQuote)|<div dir="?(?:ltr|rtl|auto)"?>|id=["']?(?:divRplyFwdMsg|appendonsend|AppleMailSignature|LPlnk|isForwardContent|mail-editor)|-webkit-nbsp-mode: ?space|webkit-line-break: ?after-white-space|type=["']?cite\b/i;

function isByMailProgram({ message }: Make): boolean {
  return message.html !== null && programMarks.test(message.html.text.slice(0, maxMarkup));
}

const manyLines = 3;

function weighPlain({ message, body }: Make): KindReason[] {
  if (message.isEmpty) return [reason("personal", 2, "It has no HTML.")];
  const reasons = [reason("personal", 2.75, "It is plain text, which is typical of personal mail.")];
  const ruled = body.match(/^[^\S\n]{0,20}(?:[-=_*~#+]{8,}|(?:[-=*~+] ?){8,})[^\S\n]{0,20}$/gm)?.length ?? 0;
  if (ruled >= manyLines)
    reasons.push(reason("bulk", 2, `It has ${ruled} divider lines, which are typical of newsletters.`));
  return reasons;
}

function weighLayout(make: Make, html: Html, written: boolean): KindReason[] {
  if (written) return [reason("personal", 4, "Its HTML has traces of an email client (such as Outlook or Gmail).")];
  const reasons = [reason("bulk", 1.5, "It is HTML, which is more common in bulk mail.")];
  if (make.passesOn) return reasons;
  if (isLetter(make, html)) {
    reasons.push(reason("personal", 3, "Its HTML is simple, and it reads like a personal email."));
    return reasons;
  }
  const { layout } = html.tables;
  if (layout >= 3) reasons.push(reason("personal", -4, `It has ${layout} layout tables.`));
  else if (layout > 0) reasons.push(reason("personal", -2, "It has a table layout."));
  const pictures = html.elements.get("img") ?? 0;
  if (pictures >= 6) reasons.push(reason("bulk", 2, `It has ${pictures} images.`));
  else if (pictures >= 3) reasons.push(reason("bulk", 1, `It has ${pictures} images.`));
  else if (pictures > 0) reasons.push(reason("personal", -1, "It has at least one image."));
  const conditional = html.comments.conditional > 0;
  if (html.styles.hasMediaQueries || html.styles.rules >= 5 || conditional)
    reasons.push(
      reason("personal", -3, "It has style sheets or conditional comments, which are typical of templates."),
    );
  if (html.elements.get("center") || html.elements.get("font") || html.elements.get("map"))
    reasons.push(reason("bulk", 1, "Its HTML has outdated tags (center, font, or map)."));
  return reasons;
}

const mostTables = 2;
const mostPictures = 3;
const mostRules = 4;

/** Simple HTML with a sign-off and the sender's name. A signature may include a logo and a table. */
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

/** URLs in plain text. Unsubscribe sentences are not in `body`. */
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
  return !isHtml && count > 0 ? [reason("personal", -1, "It contains web links.")] : [];
}

function weighTracking(web: Links["list"], esp: Make["esp"]): KindReason[] {
  const tracked = web.filter(({ tracker, href }) => tracker !== null || isCampaign(href));
  const count = new Set(tracked.map(({ href }) => href)).size;
  if (count === 0) return [];
  const reasons = [reason("personal", -2, "Personal mail rarely tracks clicks.")];
  // Transactional services track clicks in every message.
  if (esp?.transactional !== true)
    reasons.push(reason("bulk", count >= 3 ? 3 : 1.5, `Links with click tracking or campaign tags: ${count}.`));
  return reasons;
}

function weighLinks({ html, links, body, esp }: Make, written: boolean): KindReason[] {
  const list = (links?.list ?? []).filter(
    ({ place, role }) => role !== "unsubscribe" && (html === null || place === "html"),
  );
  const web = list.filter(({ host }) => host !== null);
  const reasons = weighTracking(web, esp);
  reasons.push(...weighCount(html === null ? writtenLinks(body) : distinctLinks(list), html !== null, written));
  if (web.some(isPrivateHost)) reasons.push(reason("transactional", 2, "It links to a private IP address."));
  const social = new Set(web.flatMap(({ host }) => (host && findDomain(host, socialHosts)) ?? []));
  if (social.size >= 2 && !written)
    reasons.push(reason("bulk", 0.5, `It links to social networks (${[...social].slice(0, 3).join(", ")}).`));
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
      reason("bulk", 4, `Campaigns often come from addresses like ${local}@.`),
      reason("personal", -4, `People rarely send from addresses like ${local}@.`),
    );
  else if (words.some((word) => programMailboxes.has(word)))
    reasons.push(
      reason("transactional", 2, `Automated mail often comes from addresses like ${local}@.`),
      reason("personal", -4, `People rarely send from addresses like ${local}@.`),
    );
  else if (words.some((word) => deskMailboxes.has(word)))
    reasons.push(reason("personal", -2, `The address ${local}@ looks like a team, not a person.`));
  else if (bearsName(author?.name ?? "", local))
    reasons.push(reason("personal", 1.5, "The sender's address contains the sender's name."));
  if (esp !== null)
    reasons.push(
      reason(
        esp.transactional ? "transactional" : "bulk",
        esp.transactional ? 2.5 : 4,
        `It was probably sent through ${esp.name}.`,
      ),
      reason("personal", -4, "Personal mail is rarely sent through such a service."),
    );
  if (to.count === 0 || to.groups.length > 0)
    reasons.push(reason("bulk", 1, "To has no individual recipient, which is typical of mass mail."));
  return reasons;
}

/** `jane.doe@` or `jdoe@` for Jane Doe. */
function bearsName(name: string, local: string): boolean {
  const parts = toNames(name);
  return parts.length >= 2 && parts.length <= 4 && parts.some((part) => local.includes(part));
}

/** Also `hans.mueller@` for Müller. */
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
    reasons.push(reason("transactional", 4, "Auto-Submitted marks it as automatically generated."));
  const program = (fields.get("user-agent") ?? fields.get("x-mailer") ?? "").slice(0, 200);
  const isPersons = mailPrograms.test(program) || fields.has("x-ms-has-attach") || fields.has("thread-topic");
  if (isPersons) reasons.push(reason("personal", 1.5, "Its headers are typical of an email client."));
  const types = html?.structuredTypes ?? [];
  const offer = types.find((name) => offerTypes.has(name));
  const deed = types.find((name) => transactionTypes.has(name));
  if (offer !== undefined) reasons.push(reason("bulk", 4, `Its schema.org markup has the type ${offer}.`));
  else if (deed !== undefined) reasons.push(reason("transactional", 6, `Its schema.org markup has the type ${deed}.`));
  return reasons;
}

const quoting =
  /^>|^-{2,}\s?(?:original message|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|wiadomość oryginalna|ursprungligt meddelande)/im;
function weighThread({ message, passesOn }: Make): KindReason[] {
  const reasons: KindReason[] = [];
  const answers = message.inReplyTo.length > 0 || message.references.length > 0;
  if (answers) reasons.push(reason("personal", 5, "Its headers refer to an earlier message."));
  const quotes =
    quoting.test((message.text?.text ?? "").slice(0, maxMarkup)) && message.html === null
      ? true
      : /<blockquote[^>]{0,200}(?:cite|gmail_quote)|gmail_quote|divRplyFwdMsg/i.test(
          (message.html?.text ?? "").slice(0, maxMarkup),
        );
  if (quotes) reasons.push(reason("personal", 3, "It quotes another message."));
  else if (passesOn) reasons.push(reason("personal", 3, "It forwards another message."));
  if ((answers || quotes || passesOn) && answering.test(message.subject ?? ""))
    reasons.push(reason("personal", 1, "Its subject has a reply or forward prefix."));
  return reasons;
}
