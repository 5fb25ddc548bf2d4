import { defineCheck, notApplicable, passed, skipped } from "../check.ts";
import { quoted } from "../party.ts";
import { postalPatterns } from "./postal-address-table.ts";

/** Longer than any footer: only the end of a long text is searched. */
const maxRead = 3_000;
/** A third of a short message may be shorter than its footer. */
const minRead = 1_500;

export const postalAddress = defineCheck({
  id: "postal-address",
  helpPage: "fix-wording",
  label: "Postal address",
  owner: "content",
  asks: "whether marketing mail includes a postal address",
  why: "Several countries require one by law. This check matches patterns, so it never costs points.",
  refs: ["CAN-SPAM Act, 15 U.S.C. § 7704(a)(5)"],
  needs: ["message", "kind"],
  wants: ["html"],
  kinds: ["bulk"],
  passes: 'Found what looks like a postal address: "{seen}".',
  findings: {
    "not-found": {
      severity: "info",
      title: "No postal address",
      says: "No postal address was found.",
      fix: "Add your company's name and postal address to the footer.",
    },
  },
  run({ message, kind, html }) {
    if (kind.mailingList) return notApplicable("Mailing list posts do not need a postal address.");
    if (message.isEmpty) return notApplicable("The message is empty.");
    const inHtml = html.known ? findAddress(endOf(html.value.visibleText)) : null;
    const seen = inHtml ?? findAddress(endOf(message.text?.text ?? ""));
    if (seen !== null) return passed({ seen });
    if (message.html !== null && !html.known) return skipped(html.why);
    const isCut = message.text?.isCut || (html.known && html.value.cuts.length > 0);
    return isCut ? skipped("too-large") : [{ finding: "not-found" }];
  },
});

/** Without URLs, whose tokens look like postcodes. */
function endOf(whole: string): string {
  const text = whole.replace(/https?:\/\/[\x21-\x7e]{1,2000}/gi, "");
  const length = Math.min(maxRead, Math.max(minRead, Math.ceil(text.length / 3)));
  return text.slice(-length);
}

const mostLetters = 30;

/** Extends the match to whole words. */
function toWholeWords(text: string, start: number, length: number): string {
  const [before = ""] = /[\p{L}\p{N}]{0,30}$/u.exec(text.slice(Math.max(0, start - mostLetters), start)) ?? [];
  const end = start + length;
  const [after = ""] = /^[\p{L}\p{N}]{0,30}/u.exec(text.slice(end, end + mostLetters)) ?? [];
  return `${before}${text.slice(start, end)}${after}`.replace(/\s+/g, " ").replace(/^[\s,;]{1,5}/, "");
}

function findAddress(text: string): string | null {
  if (!/[\d\p{Script=Han}\p{Script=Arabic}\p{Script=Thai}\p{Script=Hebrew}]/u.test(text)) return null;
  for (const { pattern } of postalPatterns) {
    const found = pattern.exec(text);
    if (found) return quoted(toWholeWords(text, found.index, found[0].length));
  }
  return null;
}
