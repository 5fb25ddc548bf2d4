import type { Message, MessagePart } from "../../mail/mime/message.ts";
import { defineCheck, notApplicable, passed } from "../check.ts";
import { quoted } from "../party.ts";
import prefixesByLanguage from "./reply-prefixes.json" with { type: "json" };

// Subject prefixes that mark a reply or a forwarded message, by language, in lowercase. One-letter prefixes are left out, and
// so are those with other meanings before a colon (CT, ED, FS, NA).

type SubjectPrefix = { readonly kind: "reply" | "forward"; readonly text: string };

const everyLanguage = Object.values(prefixesByLanguage);
const replies = new Set(everyLanguage.flatMap(({ reply }) => reply));
/** A prefix that means "reply" in one language and "forward" in another counts as a reply. */
const forwards = new Set(everyLanguage.flatMap(({ forward }) => forward).filter((word) => !replies.has(word)));

export function prefixOf(subject: string): SubjectPrefix | null {
  // A count may follow, as in "Re[2]:" or "AW (3):".
  const found = /^([\p{L}\p{M}][\p{L}\p{M} ]{0,20}?)\s?(?:\[\d{1,3}\]|\(\d{1,3}\))?\s?[:：]/u.exec(subject.trimStart());
  const [text, word = ""] = found ?? [];
  if (text === undefined) return null;
  const lower = word.toLowerCase().normalize("NFC");
  if (replies.has(lower)) return { kind: "reply", text };
  return forwards.has(lower) ? { kind: "forward", text } : null;
}

export const fakeReply = defineCheck({
  id: "fake-reply",
  helpPage: "fix-sender-identity",
  label: "Fake replies",
  owner: "content",
  asks: 'whether "Re:" and "Fwd:" in the subject are real',
  why: "Gmail forbids misleading reply prefixes.",
  refs: ["Gmail sender rules"],
  needs: ["message", "kind"],
  kinds: ["bulk", "transactional"],
  byKind: true,
  passes: "The subject has no fake reply or forward prefix.",
  findings: {
    reply: {
      severity: "minor",
      cost: 8,
      title: "Fake reply subject",
      says: 'The subject starts with "{prefix}", but the message is not a reply.',
      fix: "Remove the prefix.",
    },
    forward: {
      severity: "minor",
      cost: 8,
      title: "Fake forward subject",
      says: 'The subject starts with "{prefix}", but the message does not forward another message.',
      fix: "Remove the prefix.",
    },
  },
  run({ message, kind }) {
    if (kind.mailingList) return notApplicable("The author of a mailing list post chooses its subject.");
    const prefix = prefixOf(message.subject ?? "");
    if (prefix === null) return passed();
    const data = { prefix: quoted(prefix.text) };
    if (prefix.kind === "reply") return answers(message) ? passed() : [{ finding: "reply", data }];
    const isTrue = kind.kind !== "bulk" || answers(message) || holdsMessage(message.root) || quotesMessage(message);
    return isTrue ? passed() : [{ finding: "forward", data }];
  },
});

function answers({ headers }: Message): boolean {
  return headers.some(({ key, value }) => (key === "in-reply-to" || key === "references") && value.trim() !== "");
}

function holdsMessage({ type, parts }: MessagePart): boolean {
  return type === "message/rfc822" || type === "message/global" || parts.some(holdsMessage);
}

/** Headers that email clients put above a forwarded message. */
const quotedHead =
  /^[ \t]{0,10}(?:>|-{5}|_{5}|\*?(?:From|Von|De|Da|Van|Od|Fra|Från|Lähettäjä|Feladó|Kimden|От|Від|Από|差出人|发件人|寄件者|보낸 사람|Dari|Từ)\*?\s{0,2}[:：])/im;
const quotedMarkup =
  /<blockquote|gmail_quote|divRplyFwdMsg|OutlookMessageHeader|moz-forward-container|AppleOriginalContents/i;
/** A quoted message starts well before this. */
const maxRead = 50_000;

function quotesMessage({ text, html }: Message): boolean {
  return (
    quotedHead.test((text?.text ?? "").slice(0, maxRead)) || quotedMarkup.test((html?.text ?? "").slice(0, maxRead))
  );
}
