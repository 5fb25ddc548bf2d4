import { toVisible } from "../../visible-text.ts";
import { defineCheck, notApplicable } from "../check.ts";
import { isImageOnly } from "../image-only.ts";

/** What a mail program's user knows already, in the languages that say it most. */
const viewOnline =
  /\b(?:view|read|open|see|display|having trouble|can.t see|problems? viewing|trouble viewing)\b.{0,40}\b(?:online|browser|web|e?mail|message|newsletter)\b|im browser|online ansehen|web-?version|en ligne|dans (?:votre|le) navigateur|en (?:el|tu|su) navegador|nel browser|no navegador|in (?:je|uw|de) browser|w przeglądarce|в браузере/i;
const maxViewOnline = 120;

export const preheader = defineCheck({
  id: "preheader",
  area: "content",
  asks: "what the inbox shows after the subject",
  why: "It decides whether people open.",
  refs: ["no standard (inbox display practice)"],
  needs: ["html"],
  wants: ["images", "message"],
  kinds: ["bulk"],
  domain: "no",
  passes: 'The preview line reads "{text}".',
  findings: {
    wasted: {
      severity: "info",
      cost: 0,
      says: 'The preview line reads "{text}", which is {what}.',
      fix: "Put 40 to 110 characters of content first.",
    },
  },
  run({ html, images, message }) {
    const { preview } = html;
    if (preview === null) return notApplicable("The HTML has no text.");
    if (images.known && message.known && isImageOnly(html, images.value, message.value))
      return notApplicable("The message is nothing but pictures.");
    const text = toVisible(preview.text);
    const what = whatIsWasted(preview);
    return what === null ? { passed: { text } } : [{ finding: "wasted", data: { text, what } }];
  },
});

function whatIsWasted({
  text,
  from,
}: {
  readonly text: string;
  readonly from: "hidden" | "visible" | "alt" | "link";
}) {
  if (viewOnline.test(text.slice(0, maxViewOnline))) return "a way to another view";
  if (from === "alt") return "the text of a picture";
  return from === "link" ? "a link" : null;
}
