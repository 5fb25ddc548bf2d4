// Recognizes a mail system's notice about an undelivered message that has no machine-readable part. No single sign
// decides, least of all the null return path: ordinary notifications have one, and people write about bounces and
// forward them.

import type { Part } from "../mime/parts.ts";
import { bounceSubject, daemonSender, listRefusal, officeSender, passedOn, systemSentences } from "./notice-tables.ts";
import { addressIn, hasReturnedMessage, type NoticeText } from "./notice-text.ts";

type Signs = {
  readonly root: Part;
  readonly text: NoticeText;
  readonly namesRecipient: boolean;
  readonly isNullPath: boolean;
};

const enough = 6;

/** Without any of these signs a message can't be a bounce, so the text of ordinary mail is never searched. */
export function mayBeBounce(root: Part): boolean {
  return isOffice(root) || hasDaemonSender(root) || hasBounceSubject(root) || hasTellingField(root);
}

/** Call it only if mayBeBounce() said yes. */
export function looksLikeBounce(signs: Signs): boolean {
  const { root, text } = signs;
  const opening = openingOf(text.said);
  if (isOffice(root) && !isAnswer(root) && listRefusal.test(opening)) return true;
  const found = {
    isDaemon: hasDaemonSender(root),
    hasSubject: hasBounceSubject(root),
    speaks: systemSentences.some((pattern) => pattern.test(opening)),
    // A message from any other sender must begin the way a mail system's notice does.
    beginsSo: systemSentences.some((pattern) => pattern.test(openingOf(text.said, 2))),
    names: hasTellingField(root),
    quotesReply: reply.test(text.said.join("\n").slice(0, 16_000).toLowerCase()),
    returns: hasReturnedMessage(root, text),
  };
  return hasSubstance(found, signs) && pointsOf(found, signs) >= enough;
}

type BounceSigns = Readonly<
  Record<"isDaemon" | "hasSubject" | "speaks" | "beginsSo" | "names" | "quotesReply" | "returns", boolean>
>;

const bounceFields = ["x-failed-recipients", "x-ms-exchange-message-is-ndr"];

function hasTellingField({ fields }: Part): boolean {
  return bounceFields.some((name) => fields.first(name) !== null);
}

/**
 * The message is about another message and says so in a mail system's words. Required whatever the points, because
 * phishing and fake parcel notices imitate everything else.
 */
function hasSubstance(found: BounceSigns, { root, namesRecipient }: Signs): boolean {
  if (found.names) return true;
  const evidence = found.quotesReply || found.returns;
  const speaks = found.speaks || (found.hasSubject && evidence);
  if (!found.isDaemon) return found.hasSubject && found.beginsSo && (evidence || (isOffice(root) && namesRecipient));
  return speaks && (found.returns || namesRecipient || (found.quotesReply && found.beginsSo && found.hasSubject));
}

function pointsOf(found: BounceSigns, { root, text, isNullPath }: Signs): number {
  const isOfList = ["list-unsubscribe", "list-id"].some((name) => root.fields.first(name) !== null);
  const points: readonly [boolean, number][] = [
    [found.isDaemon, 3],
    [isOffice(root), 1],
    [hasNoSender(root), 2],
    [found.hasSubject, 2],
    [found.names, 4],
    [found.speaks, 3],
    [isNullPath, 1],
    [/^auto-/i.test(root.fields.first("auto-submitted") ?? ""), 1],
    [found.quotesReply, 1],
    [found.returns, 1],
    [isAnswer(root), -4],
    [passedOn.test(firstLine(text.said)), -5],
    [isOfList, found.isDaemon ? -1 : -4],
    [/thunderbird|apple mail|iphone mail|mutt|evolution|k-9|roundcube/i.test(mailerOf(root)), -3],
  ];
  return points.reduce((sum, [applies, weight]) => (applies ? sum + weight : sum), 0);
}

/** The headers of a gateway that wraps another's notice. */
export function hasDaemonHeader(root: Part): boolean {
  return (hasDaemonSender(root) || hasNoSender(root)) && !isAnswer(root);
}

/** A reply code or status in the place where an MTA's answer has it. */
const reply =
  /(?:^|[\s:;"'(<[])[45][0-7]\d[ -][#(]?(?:[45]\.\d{1,3}\.\d{1,3}|[a-z<"'])|#?[45]\.\d\.\d{1,3}(?= |$|\)|>|,|:)|smtp error|error[_ -]code/m;

function hasDaemonSender(root: Part): boolean {
  const from = fromOf(root);
  const localAddress = addressIn(from) ?? from;
  return (
    daemonSender.test(localAddress) ||
    daemonSender.test(from.replace(/["<>()]/g, " ").trim()) ||
    /^<?mailer-daemon/.test(from)
  );
}

function isOffice(root: Part): boolean {
  return officeSender.test(addressIn(fromOf(root)) ?? "");
}

function hasNoSender(root: Part): boolean {
  return /^\W*$/.test(fromOf(root));
}

function fromOf(root: Part): string {
  return (root.fields.first("from") ?? root.fields.first("sender") ?? "").toLowerCase().slice(0, 500);
}

export function hasBounceSubject(root: Part): boolean {
  return bounceSubject.test(subjectOf(root));
}

function isAnswer(root: Part): boolean {
  return (
    /^(?:re|aw|fwd?|wg|tr|rv|sv|vs|antw?|odp|i|r|res|enc|ynt|回复|答复|转发|返信|転送|automatic reply|auto:|out of office)(?:\[\d{1,3}\])?\s?[:：]/.test(
      subjectOf(root),
    ) && !/^re: your mail/.test(subjectOf(root))
  );
}

function subjectOf(root: Part): string {
  return (root.fields.first("subject") ?? "").toLowerCase().replace(/\s+/g, " ").trim().slice(0, 300);
}

function mailerOf(root: Part): string {
  return `${root.fields.first("user-agent") ?? ""} ${root.fields.first("x-mailer") ?? ""}`.slice(0, 500);
}

/** The first lines as one string, because sentences run across lines. */
function openingOf(said: readonly string[], count = 14): string {
  const lines = said.map((line) => line.trim()).filter((line) => line !== "");
  return lines.slice(0, count).join(" ").toLowerCase().replaceAll("’", "'").replace(/\s+/g, " ").slice(0, 2_000);
}

function firstLine(said: readonly string[]): string {
  return (said.find((line) => line.trim() !== "") ?? "").trim().toLowerCase().slice(0, 200);
}
