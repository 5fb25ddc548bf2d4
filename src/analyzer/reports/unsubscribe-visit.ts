// What the response shows after an unsubscribe link was only opened, as mail scanners do. A page that only asks for
// confirmation is right. A page that begins a sentence by saying that the address was unsubscribed is wrong, because a
// scanner would unsubscribe people. Both need words that can't mean anything else. Everything else is unclear.

import { namesUnsubscribing } from "../mail/links/unsubscribe-words.ts";
import unsubscribedWords from "../mail/links/unsubscribed-words.json" with { type: "json" };
import { toVisibleCut } from "../visible-text.ts";
import { type Answered, type Unanswered, unsubscribeMaxBytes } from "./unsubscribe-outcome.ts";
import { decodePage, readVisitedPage, type VisitedPage } from "./unsubscribe-page.ts";

/** `redirectedTo`: the last address, if the link redirects. */
type Visited = (Answered | Unanswered) & { readonly redirectedTo?: string };

export const visitLinks = ["header", "body"] as const;
export type VisitLink = (typeof visitLinks)[number];

export const visitResults = ["page", "unsubscribed", "unclear", "unreachable", "refused"] as const;

export type VisitOutcome = {
  readonly result: (typeof visitResults)[number];
  readonly says: string;
  readonly status: number | null;
  readonly location: string | null;
  /** The beginning of the page's text. Absent in outcomes of earlier versions. */
  readonly shows?: string | null;
};

const longestLocation = 500;
const longestShown = 300;
const unknowable = "Whether opening the link changed anything can’t be known.";

/** `askedAt`: when the address may have been unsubscribed before. */
export function judgeVisit(visited: Visited, askedAt: number | null = null): VisitOutcome {
  const { redirectedTo } = visited;
  const verdict = visited.ok ? judgeAnswer(visited) : judgeFailure(visited);
  return {
    ...(verdict.result === "unsubscribed" && askedAt !== null ? { ...verdict, ...judgeState(askedAt) } : verdict),
    status: visited.ok ? visited.status : null,
    location: redirectedTo === undefined ? null : toVisibleCut(redirectedTo, longestLocation),
  };
}

/** A right page says so too, to an address that isn't subscribed anymore. */
function judgeState(askedAt: number): Verdict {
  const day = new Date(askedAt).toISOString().slice(0, 10);
  return unclear(
    `The page says that the address is unsubscribed, but that may have happened on ${day}, when Assay sent a request or opened the link.`,
  );
}

type Verdict = Pick<VisitOutcome, "result" | "says" | "shows">;

function judgeFailure({ failure, problem, redirectedTo }: Unanswered & Pick<Visited, "redirectedTo">): Verdict {
  if (redirectedTo !== undefined || failure === "redirect")
    return unclear(`The link redirects, and its last page was not opened: ${problem}`);
  if (failure === "refused_address" || failure === "invalid_url")
    return { result: "refused", says: `The link was not opened: ${problem}` };
  return { result: "unreachable", says: `${problem} ${unknowable}` };
}

function judgeAnswer({ status, headers, body, isPart }: Answered): Verdict {
  const problem = judgeStatus(status);
  const contentType = headers["content-type"] ?? "text/html";
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding.trim().toLowerCase() !== "identity")
    return problem ?? unclear("The response is compressed, although Assay asked for one that isn’t. It was not read.");
  const source = decodePage(body, contentType);
  if (source === null)
    return problem ?? unclear("The text of the page doesn’t fit its character set, so it was not read.");
  const page = readVisitedPage(source, /html/i.test(contentType));
  const isWhole = body.length < unsubscribeMaxBytes && !page.isCut;
  const missing = isPart
    ? "The response broke off or did not end in time, so only its beginning is known."
    : isWhole
      ? null
      : "The page is too large to be read to its end.";
  const acting = headers.refresh === undefined ? page.acting : [...page.acting, "a refresh"];
  const shows = page.lines.length === 0 ? null : toVisibleCut(page.lines.join(" "), longestShown);
  return { ...(problem ?? judgePage({ ...page, acting }, missing)), shows };
}

function judgeStatus(status: number): Verdict | null {
  if (status === 401 || status === 403 || status === 407)
    return unclear(`The server asks for a login or denies access (${status}).`);
  return status < 200 || status > 299 ? unclear(`The server responds with an error (${status}).`) : null;
}

function judgePage(page: VisitedPage, missing: string | null): Verdict {
  if (page.asksPassword) return unclear("The page has a password field, so it may ask for a login.");
  if (missing !== null) return unclear(missing);
  const sentences = page.lines.flatMap(toSentences);
  const done = findDone(sentences);
  const asks = asksToConfirm(page, sentences);
  if (done !== null) return judgeDone(done, asks, page);
  if (!asks) return judgeUnknown(page);
  if (page.acting.length > 0)
    return unclear(
      `The page has a form that asks for confirmation, but also ${page.acting.join(" and ")}, which may act without a click.`,
    );
  return { result: "page", says: "The link only showed a page with a form that asks for confirmation." };
}

/** A page for a later click may have the words ready, and a style sheet may hide them until then. */
function judgeDone(done: string, asks: boolean, { controls, acting }: VisitedPage): Verdict {
  if (asks) return unclear(`The page says “${done}” and also has a form that asks for confirmation.`);
  const offer = controls.find((control) => mayUnsubscribe(control, acting.length > 0));
  if (offer !== undefined)
    return unclear(
      `The page says “${done}”, but also has ${quote(offer.words)} to click, so the words may be meant for later.`,
    );
  return {
    result: "unsubscribed",
    says: `The page says “${done}”, although the link was only opened. Mail scanners open links too, so they would unsubscribe your recipients. Show a page with a button, and unsubscribe only when it sends a POST request.`,
  };
}

/** What a button does can't be known if the page has scripts. */
function mayUnsubscribe({ words, isLink }: VisitedPage["controls"][number], hasScripts: boolean): boolean {
  const label = toLabel(words);
  if (buttonWords.has(label) || yesWords.has(label)) return true;
  const names = [...buttonWords].some((one) => label.includes(one));
  return isLink ? names && hasScripts : names || hasScripts;
}

function judgeUnknown({ controls, acting }: VisitedPage): Verdict {
  const buttons = controls.filter(({ sends }) => sends).map(({ words }) => quote(words));
  const more = buttons.length > mostButtons ? " and others" : "";
  const unread = acting.length > 0 ? ` It has ${acting.join(" and ")}, which Assay doesn’t run or load.` : "";
  return unclear(
    buttons.length === 0
      ? `The page has no form that asks for confirmation, and no known words of a completed unsubscribe.${unread}`
      : `The page has a form with ${buttons.slice(0, mostButtons).join(", ")}${more}, but Assay doesn’t recognize that it only asks for confirmation.${unread}`,
  );
}

const mostButtons = 3;
const longestButton = 60;

function quote(words: string): string {
  return words === "" ? "a button without words" : `“${toVisibleCut(words, longestButton)}”`;
}

function unclear(says: string): Verdict {
  return { result: "unclear", says: `${says} ${unknowable}` };
}

/**
 * The button says to unsubscribe and nothing else, as "Unsubscribe from all" is what pages offer afterwards. Before a
 * sentence that asks, the page must have said nothing. Without such a sentence, it must say nothing at all.
 */
function asksToConfirm({ controls, asksMore }: VisitedPage, sentences: readonly string[]): boolean {
  const buttons = controls.filter(({ sends }) => sends).map(({ words }) => toLabel(words));
  const asking = sentences.findIndex(isAsking);
  const said = sentences.slice(0, asking < 0 ? undefined : asking).some((sentence) => ended.test(sentence));
  const named = buttons.filter((label) => buttonWords.has(label)).length;
  if (said || named > 1) return false;
  if (asking < 0) return named === 1 && buttons.length === 1;
  return named === 1 || (!asksMore && buttons.filter((label) => yesWords.has(label)).length === 1);
}

/** In these languages, the verb is at the end of a sentence, and decides what it says. */
const verbLast = new Set(["ja", "ko", "tr"]);

const { done, alone, button, asks, yes } = unsubscribedWords;
const doneWords = toPhrases(done);
const askWords = toPhrases(asks);
const aloneWords = new Set(Object.values(alone).flat());
const buttonWords = new Set(Object.values(button).flat().map(toLabel));
const yesWords = new Set(Object.values(yes).flat().map(toLabel));

type Phrase = { readonly words: string; readonly isLast: boolean };

function toPhrases(table: Readonly<Record<string, readonly string[]>>): Phrase[] {
  return Object.entries(table).flatMap(([language, phrases]) =>
    phrases.map((words) => ({ words: toPlain(words), isLast: verbLast.has(language) })),
  );
}

const ended = /[.!…。！]["'”»)]*$/;

function toSentences(line: string): string[] {
  return toPlain(line)
    .split(/(?<=[.!?…]) |(?<=[。！？])/)
    .filter((sentence) => sentence !== "");
}

/** The words that a sentence begins with. Words before them, such as "if", may turn the meaning around. */
function findPhrase(sentence: string, phrases: readonly Phrase[]): string | null {
  const bare = sentence.replace(/^[¿¡"'“«(]+/, "").replace(/[^\p{L}\p{N})]+$/u, "");
  const isBegun = (words: string) => bare.startsWith(words) && wordEnd.test(bare.slice(words.length));
  return phrases.find(({ words, isLast }) => (isLast ? bare.endsWith(words) : isBegun(words)))?.words ?? null;
}

/** French has "désabonné", "désabonnée" and "désabonnés". */
const wordEnd = /^e?s?(?![\p{Script=Latin}\p{Script=Cyrillic}])/u;

function isAsking(sentence: string): boolean {
  return namesUnsubscribing(sentence) && findPhrase(sentence, askWords) !== null;
}

const asked = /[?？؟]["'”»)]*$/;

/** A word alone says so only at the beginning of the page: in a table, it may be about another list. */
function findDone(sentences: readonly string[]): string | null {
  const [first = ""] = sentences;
  const bare = first.replace(/[^\p{L}\p{N}]+$/u, "");
  if (aloneWords.has(bare) && !asked.test(first)) return bare;
  for (const sentence of sentences) {
    const found = asked.test(sentence) ? null : findPhrase(sentence.replace(/^[^\s@]+@[^\s@]+ /, ""), doneWords);
    if (found !== null) return found;
  }
  return null;
}

function toLabel(text: string): string {
  return toPlain(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function toPlain(text: string): string {
  return text.normalize("NFC").toLowerCase().replaceAll("’", "'").replace(/\s+/g, " ").trim();
}
