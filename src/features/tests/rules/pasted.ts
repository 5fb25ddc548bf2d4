// What the start page makes of a text that someone pasted: a message to test, the code of a bounce, a domain to check, or
// words to look up in the handbook.

import { readReplyCode } from "../../../analyzer/mail/bounces/reply-code.ts";
import { toSaidWords } from "../../../analyzer/reports/receiver-verdicts.ts";

/** `path`: the page that answers. */
type Pasted =
  | { readonly kind: "message" }
  | { readonly kind: "code" | "domain" | "question"; readonly path: string }
  /** A message can't be tested by these headers alone. `says`: what they say, if they say anything. */
  | { readonly kind: "results"; readonly path: string; readonly says: string | null };

const longestText = 20_000;
/** As long as the handbook's search takes. */
const longestQuestion = 200;

const headerLines =
  /^(?:[a-z][a-z\d-]{0,76}:|>?from \S{1,300} {1,9}(?:mon|tue|wed|thu|fri|sat|sun) )[^\n]*\n(?:[a-z][a-z\d-]{0,76}:|[ \t]+\S)/i;
const mainField = /^(?:from|received|subject|date):/i;
/** A question can't begin like these, so one line is enough. */
const servers = /^(?:received|(?:arc-)?authentication-results|received-spf|(?:arc-message|dkim)-signature):/i;
const fieldName = /^[a-z][a-z\d-]{0,76}:/i;
const resultFields = /^(?:(?:arc-)?authentication-results|received-spf|arc-message-signature|arc-seal):/i;
const mostLines = 50;
const bounceHeader =
  /^(?:content-type:\s{0,5}multipart\/report|x-failed-recipients:|from:[^\n]{0,200}(?:mailer-daemon|postmaster@|mail delivery))/im;
const host =
  /^(?:https?:\/\/)?(?:[^\s@/]{1,64}@)?(?:www\.)?((?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,10}\p{L}[\p{L}\p{N}-]{1,62})\.?(?:[:/?#]\S*)?$/iu;

export function readPasted(pasted: string): Pasted {
  const text = pasted.slice(0, longestText).toWellFormed().replaceAll("\r\n", "\n").trim();
  const [headers = "", ...body] = text.split("\n\n");
  const isMessage =
    servers.test(text) ||
    (headerLines.test(headers) && headers.split("\n", mostLines).some((line) => mainField.test(line)));
  const names = headers.split("\n").filter((line) => fieldName.test(line));
  if (isMessage && names.every((line) => resultFields.test(line)))
    return { kind: "results", path: "/docs/not-authenticated", says: toSaidWords(readResults(headers)) };
  if (isMessage && !bounceHeader.test(headers)) return { kind: "message" };
  const domain = text.length > 300 ? undefined : host.exec(text)?.[1]?.toLowerCase();
  if (domain !== undefined) return { kind: "domain", path: `/domains?check=${encodeURIComponent(domain)}` };
  const code = readReplyCode(isMessage ? body.join("\n\n") : text);
  if (code !== null) return { kind: "code", path: `/docs/codes/${code}` };
  if (isMessage) return { kind: "message" };
  const words = text.replaceAll(/\s+/g, " ").slice(0, longestQuestion).toWellFormed();
  return { kind: "question", path: `/docs?q=${encodeURIComponent(words)}` };
}

/** Copying may lose the space before a folded line. */
function readResults(headers: string): string[] {
  const fields = headers.split(/\n(?=[a-z][a-z\d-]{0,76}:)/i);
  return fields.flatMap((field) => /^(?:arc-)?authentication-results:([\s\S]*)/i.exec(field)?.[1] ?? []);
}
