// What the response shows after an unsubscribe link was only opened, as mail scanners do. A page that asks for confirmation
// is right. Words that say that the address was unsubscribed are wrong, because a scanner would unsubscribe people.
// Everything else is unclear, and never a pass.

import { type HtmlNode, parseTree } from "../mail/html/tree.ts";
import { namesUnsubscribing } from "../mail/links/unsubscribe-words.ts";
import unsubscribedWords from "../mail/links/unsubscribed-words.json" with { type: "json" };
import { toVisibleCut } from "../visible-text.ts";
import { type Answered, type Unanswered, unsubscribeMaxBytes } from "./unsubscribe-outcome.ts";

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
};

const longestLocation = 500;
const unknowable = "Whether opening the link changed anything can’t be known.";

export function judgeVisit(visited: Visited): VisitOutcome {
  const { redirectedTo } = visited;
  return {
    ...(visited.ok ? judgeAnswer(visited) : judgeFailure(visited)),
    status: visited.ok ? visited.status : null,
    location: redirectedTo === undefined ? null : toVisibleCut(redirectedTo, longestLocation),
  };
}

type Verdict = Pick<VisitOutcome, "result" | "says">;

function judgeFailure({ failure, problem, redirectedTo }: Unanswered & Pick<Visited, "redirectedTo">): Verdict {
  if (redirectedTo !== undefined || failure === "redirect")
    return unclear(`The link redirects, and its last page was not opened: ${problem}`);
  if (failure === "refused_address" || failure === "invalid_url")
    return { result: "refused", says: `The link was not opened: ${problem}` };
  return { result: "unreachable", says: `${problem} ${unknowable}` };
}

function judgeAnswer({ status, headers, body }: Answered): Verdict {
  if (status === 401 || status === 403 || status === 407)
    return unclear(`The server asks for a login or denies access (${status}).`);
  if (status < 200 || status > 299) return unclear(`The server responds with an error (${status}).`);
  const source = Buffer.from(body).toString("utf8");
  if (passwordField.test(source)) return unclear("The page has a password field, so it may ask for a login.");
  const page: VisitedPage = { texts: [], buttons: [] };
  const nodes = /html/i.test(headers["content-type"] ?? "") ? parseTree(source).root.children : [source];
  for (const node of nodes) visit(node, page, { isForm: false, isButton: false });
  const done = findDone(page.texts);
  if (!asksToConfirm(page)) return judgeWithoutForm(done);
  if (done !== null) return unclear(`The page says “${done}” and also has a form that asks for confirmation.`);
  if (goesOn.test(source)) return unclear("The page has a form, and a script or refresh that may send it.");
  if (find(afterWords, page.texts) !== null)
    return unclear("The page has a form, and words of a page that usually follows an unsubscribe.");
  if (body.length >= unsubscribeMaxBytes) return unclear("The page is too large to be read to its end.");
  const scripts = /<script/i.test(source) ? " Its scripts were not run." : "";
  return { result: "page", says: `The link only showed a page with a form that asks for confirmation.${scripts}` };
}

function judgeWithoutForm(done: string | null): Verdict {
  if (done === null)
    return unclear(
      "The response has no form that asks for confirmation, and no known words of a completed unsubscribe.",
    );
  return {
    result: "unsubscribed",
    says: `The page says “${done}”, although the link was only opened. Mail scanners open links too, so they would unsubscribe your recipients. Show a page with a button, and unsubscribe only when it sends a POST request.`,
  };
}

function unclear(says: string): Verdict {
  return { result: "unclear", says: `${says} ${unknowable}` };
}

/** `buttons`: those that send a form. */
type VisitedPage = { readonly texts: string[]; readonly buttons: string[] };
type Within = { readonly isForm: boolean; readonly isButton: boolean };

const unshown = new Set("script style template textarea option".split(" "));
const hiding = /display\s*:\s*none|visibility\s*:\s*hidden/i;
const passwordField = /type\s*=\s*["']?password/i;
/** What could act without another click. */
const goesOn =
  /submit\s*\(|\.click\s*\(|location\.(?:href\s*=|replace|assign)|fetch\s*\(|XMLHttpRequest|sendBeacon|http-equiv\s*=\s*["']?refresh/i;

function visit(node: HtmlNode, page: VisitedPage, within: Within): void {
  if (typeof node === "string") {
    const text = toPlain(node);
    page.texts.push(text);
    if (within.isForm && within.isButton) page.buttons.push(text);
    return;
  }
  const { name, attributes, children } = node;
  if (unshown.has(name) || attributes.has("hidden") || hiding.test(attributes.get("style") ?? "")) return;
  const type = attributes.get("type")?.toLowerCase();
  const isForm = within.isForm || name === "form";
  if (isForm && name === "input" && type === "submit") page.buttons.push(toPlain(attributes.get("value") ?? ""));
  const isButton = within.isButton || (name === "button" && (type ?? "submit") === "submit");
  for (const child of children) visit(child, page, { isForm, isButton });
}

function asksToConfirm({ texts, buttons }: VisitedPage): boolean {
  if (buttons.some(namesUnsubscribing)) return true;
  return buttons.some((words) => confirming.test(words)) && namesUnsubscribing(texts.join(" "));
}

const { done, alone, after, confirm } = unsubscribedWords;
const doneWords = wordsIn(done);
const afterWords = wordsIn(after);
const aloneWords = new Set(wordsIn(alone));
/** A short word must be a whole one: "ja" isn't the beginning of "jahr". */
const confirming = new RegExp(
  `^(?:${wordsIn(confirm)
    .map((word) => (word.length > 4 ? word : `${word}(?!\\p{Script=Latin}|\\p{Script=Cyrillic})`))
    .join("|")})`,
  "u",
);

function wordsIn(table: Readonly<Record<string, readonly string[]>>): string[] {
  return [...new Set(Object.values(table).flat().map(toPlain))];
}

function find(words: readonly string[], texts: readonly string[]): string | null {
  const whole = texts.filter((text) => text !== "").join(" ");
  return words.find((one) => whole.includes(one)) ?? null;
}

const longestAlone = 40;

/** The words that say that the address is unsubscribed: a phrase, or a word that is a whole text. */
function findDone(texts: readonly string[]): string | null {
  const bare = texts.map((text) => text.slice(0, longestAlone).replace(/[^\p{L}\p{N}]+$/u, ""));
  return find(doneWords, texts) ?? bare.find((text) => aloneWords.has(text)) ?? null;
}

function toPlain(text: string): string {
  return text.normalize("NFC").toLowerCase().replaceAll("’", "'").replace(/\s+/g, " ").trim();
}
