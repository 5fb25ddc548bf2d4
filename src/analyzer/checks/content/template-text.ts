import { defineCheck, notApplicable, skipped } from "../check.ts";
import { ownWordsOf } from "./own-words.ts";
import { isReply } from "./placeholders.ts";
import { maxRaised, shown } from "./shown.ts";
import {
  asked,
  askers,
  fields,
  joiners,
  latin,
  nouns,
  numbered,
  others,
  places,
  sentences,
} from "./template-text-table.ts";

const maxRead = 100_000;

export const templateText = defineCheck({
  id: "template-text",
  helpPage: "fix-unfinished",
  label: "Template text",
  owner: "content",
  asks: "whether text of the template was left in",
  why: "Every recipient sees that the message was sent unfinished.",
  refs: ["no standard (template practice)"],
  needs: ["message"],
  wants: ["html", "kind"],
  byKind: true,
  passes: "No text of a template was left in.",
  findings: {
    left: {
      severity: "major",
      cost: 32,
      title: "Template text left in",
      says: '"{text}" in {place} looks like text of a template.[[ Others: {others}.]]',
      fix: "Write your own text, or delete the block.",
    },
  },
  run({ message, html, kind }) {
    if (kind.known && kind.value.mailingList)
      return notApplicable("Mailing list posts are not made from templates and may discuss them.");
    if (isReply(message)) return notApplicable("It refers to an earlier message, whose template it may quote.");
    const body = ownWordsOf(message, html);
    if (!body.known) return skipped(body.why);
    const preheader = html.known ? html.value.hiddenRuns.find(({ exempt }) => exempt === "preheader") : undefined;
    const isPersonal = kind.known && kind.value.kind === "personal";
    const found = new Map([
      ...leftIn(message.subject ?? "", "the subject", isPersonal),
      ...leftIn(body.value.slice(0, maxRead), html.known ? "the HTML" : "the plain text", isPersonal),
      ...leftIn(preheader?.text ?? "", "the preview text", isPersonal),
    ]);
    const [first, ...rest] = found;
    if (first === undefined) return [];
    const [text, place] = first;
    const others = rest.slice(0, maxRaised).map(([left]) => `"${shown(left.replace(/\.$/, ""))}"`);
    return [{ finding: "left", data: { text: shown(text), place, others } }];
  },
});

/** Who the footer is from: "© 2026 Your Company", "1234 Broadway, City, State 12345". */
const sampleSender =
  /(?:©|\(c\)|copyright)[\s\d,–-]{0,20}(?:your company|company name|your business|your brand|acme)(?: name|,? inc|,? ltd)?(?=[\s.,|]*(?:all rights|$))|\bcity,? (?:state|st),? (?:\d{5}|zip\b)|\banytown, /;
const longestLine = 80;
/** A longer line is named by the part that shows it. */
const longestShown = 120;

/** Whole lines, or the fields in them. People send each other drafts with fields. */
function leftIn(text: string, place: string, isPersonal: boolean): (readonly [left: string, place: string])[] {
  return text.split("\n").flatMap((written) => {
    const line = written.toLowerCase().replaceAll("’", "'");
    const part = sentences.exec(line) ?? sampleSender.exec(line);
    const isWhole = isToWrite(line) || isFiller(line) || (part !== null && line.length <= longestShown);
    const found = part && !isWhole ? written.slice(part.index, part.index + part[0].length) : written;
    return (part || isWhole ? [found.trim()] : isPersonal ? [] : fieldsIn(written)).map(
      (left) => [left, place] as const,
    );
  });
}

const wordsOf = (line: string): readonly string[] => line.match(/[\p{L}\p{M}\p{N}'-]+/gu) ?? [];

/** "Your text here", "Heading 2". */
function isToWrite(line: string): boolean {
  if (line.length > longestLine) return false;
  const words = wordsOf(line);
  const [first = "", second = ""] = words;
  if (words.length === 2 && numbered.has(first) && /^\d$/.test(second)) return true;
  if (!words.every((word) => nouns.has(word) || places.has(word) || others.has(word))) return false;
  return words.some((word) => nouns.has(word)) && words.some((word) => places.has(word));
}

/** A quick test, because few lines have such words. */
const latinSign = /\b(?:lorem|adipi|consectet|pellentesque|vestibulum|maecenas|malesuada|eleifend|vivamus|phasellus)/;
const window = 8;
const fewest = 4;

/** Words of the dummy text close together. A quotation is about it. */
function isFiller(line: string): boolean {
  if (!latinSign.test(line)) return false;
  const words = wordsOf(line);
  const hits = words.map((word) => latin.has(word));
  const first = words[hits.indexOf(true)];
  if (first === undefined || /["'“„«‘]$/.test(line.slice(0, line.indexOf(first)))) return false;
  if (words.length >= 2 && hits.every(Boolean)) return true;
  return hits.some((_, at) => hits.slice(at, at + window).filter(Boolean).length >= fewest);
}

const bracket = /(?<![[{<])[[{<] ?([\p{L}][\p{L}\p{M}\p{Zs}_-]{2,40}?) ?[\]}>](?![\]}>])/gu;
/** Instructions quote a field: "Use the subject 'Application - [Your Name]'". */
const instruction = /subject|betreff|objet|asunto|oggetto|assunto|onderwerp|["“”„«»`]/i;

/** "[Company Name]", or an identifier that is no code: "{unsubscribe_text}". */
function fieldsIn(line: string): string[] {
  if (!/[[{<]/.test(line) || instruction.test(line)) return [];
  return [...line.matchAll(bracket)].flatMap(({ 0: whole, 1: content = "", index }) => {
    // As in `rows[my_index]` and "report_[Your Name].pdf".
    if (/[\w/=@$%.]/.test((line[index - 1] ?? "") + (line[index + whole.length] ?? ""))) return [];
    const words = content.toLowerCase().split(/[\p{Zs}_-]+/u);
    const named = words.filter((word) => !joiners.has(word));
    const isAsked = named.length > 1 && named.some((word) => askers.has(word));
    const isField = named.every((word) => fields.has(word) || (isAsked && (askers.has(word) || asked.has(word))));
    return (isField && named.length > 0) ||
      /^[a-z]+(?:_[a-z]+){0,3}_(?:text|url|link|name|date|title|action)$/.test(content)
      ? [whole]
      : [];
  });
}
