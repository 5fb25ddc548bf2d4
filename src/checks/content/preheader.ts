import { toVisible } from "../../visible-text.ts";
import { defineCheck, notApplicable } from "../check.ts";
import { isImageOnly } from "../image-only.ts";

/** What a mail program's user knows already, in the languages that say it most. */
const viewOnline =
  /(?:view|read|open|see|display)\b.{0,40}\b(?:online|browser|web ?page|web version)\b|(?:trouble|problems?) (?:viewing|reading|seeing)|(?:can.t|cannot) (?:see|view|read)|im browser|online ansehen|en ligne|(?:votre|le) navigateur|(?:el|tu|su) navegador|nel browser|no navegador|(?:je|uw|de) browser|w przeglądarce|в браузере/i;
/** It stands at the beginning; in the footer of a short message it is no waste. */
const maxBefore = 25;
const maxRead = 120;

export const preheader = defineCheck({
  id: "preheader",
  area: "content",
  label: "Preview text",
  owner: "content",
  asks: "what the inbox shows after the subject",
  why: "It decides whether people open.",
  refs: ["no standard (inbox display practice)"],
  needs: ["html", "kind"],
  wants: ["images", "message"],
  kinds: ["bulk"],
  domain: "no",
  passes: 'The preview line reads "{text}".',
  findings: {
    wasted: {
      severity: "info",
      cost: 0,
      title: "Wasted preview text",
      says: 'The preview line reads "{text}", which {what}.',
      fix: "Put 40 to 110 characters of content first.",
    },
  },
  run({ html, kind, images, message }) {
    if (kind.mailingList) return notApplicable("The post of a mailing list owes no preview line.");
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
  const found = viewOnline.exec(text.slice(0, maxRead));
  if (found && found.index <= maxBefore) return "leads to another view";
  if (from === "alt") return "is the text of a picture";
  return from === "link" ? "begins with a link" : null;
}
