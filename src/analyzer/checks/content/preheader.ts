import { toVisible } from "../../visible-text.ts";
import { defineCheck, notApplicable } from "../check.ts";
import { isImageOnly } from "../image-only.ts";

/** "View in browser" lines in common languages. */
const viewOnline =
  /(?:view|read|open|see|display)\b.{0,40}\b(?:online|browser|web ?page|web version)\b|(?:trouble|problems?) (?:viewing|reading|seeing)|(?:can.t|cannot) (?:see|view|read)|im browser|online ansehen|en ligne|(?:votre|le) navigateur|(?:el|tu|su) navegador|nel browser|no navegador|(?:je|uw|de) browser|w przeglądarce|в браузере/i;
/** Only at the start: in the footer of a short message it wastes nothing. */
const maxBefore = 25;
const maxRead = 120;

export const preheader = defineCheck({
  id: "preheader",
  helpPage: "fix-wording",
  label: "Preview text",
  owner: "content",
  asks: "what the inbox shows after the subject",
  why: "The preview text helps recipients decide whether to open the message.",
  refs: ["no standard (inbox display practice)"],
  needs: ["html", "kind"],
  wants: ["images", "message"],
  kinds: ["bulk"],
  passes: 'The preview text is "{text}".',
  findings: {
    wasted: {
      severity: "info",
      title: "Wasted preview text",
      says: 'The preview text is "{text}", which {what}.',
      fix: "Start the message with 40 to 110 characters of content.",
    },
  },
  run({ html, kind, images, message }) {
    if (kind.mailingList) return notApplicable("Mailing list posts do not need preview text.");
    const { preview } = html;
    if (preview === null) return notApplicable("The HTML has no text.");
    if (images.known && message.known && isImageOnly(html, images.value, message.value))
      return notApplicable("The message consists only of images.");
    const text = toVisible(preview.text);
    const what = whatIsWasted(preview);
    return what === null ? { passed: { text } } : [{ finding: "wasted", data: { text, what } }];
  },
});

function whatIsWasted({ text, from }: { readonly text: string; readonly from: "hidden" | "visible" | "alt" | "link" }) {
  const found = viewOnline.exec(text.slice(0, maxRead));
  if (found && found.index <= maxBefore) return 'is a "view in browser" line';
  if (from === "alt") return "starts with the alt text of an image";
  return from === "link" ? "starts with a link" : null;
}
