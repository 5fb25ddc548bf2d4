// What a request for tests asks for, as a filter of the store.

import { toAsciiDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";
import { Refusal } from "../../../platform/errors.ts";
import { beginningAt } from "../../../platform/ids.ts";
import { toSearchWords } from "../../../platform/search-words.ts";
import { mostWords, type TestQuery } from "../contract/test-filters.ts";
import type { ScoreOrder } from "../rows/by-score.ts";
import type { TestFilter, TestTerm } from "../rows/conditions.ts";
import { parseSearch, type SearchPart, type SearchTerm, utcDays } from "../words/test-search-words.ts";

type Filters = Omit<TestQuery, "sort">;

export function toTestFilter(filters: Filters, now: number): TestFilter {
  const { q, status, label, message_id, from_domain, min_score, max_score, since, until, search } = filters;
  const plain = {
    words: q,
    status,
    label,
    fromDomain: from_domain,
    minScore: min_score,
    maxScore: max_score,
    messageId: message_id,
    from: since === undefined ? undefined : toBeginning(since),
    before: until === undefined ? undefined : toBeginning(until),
  };
  return search === undefined ? plain : readSearch(plain, search, now);
}

/** Only tests with the label, whatever else is asked for. */
export function withinLabel(filter: TestFilter, label: string | null): TestFilter {
  if (label === null || filter.label === label) return filter;
  const asked = filter.label;
  const limited = { ...filter, label };
  return asked === undefined ? limited : also(limited, { isNot: false, field: "label", value: asked });
}

/** The same as a search alone. */
export function toSearchFilter(search: string, now: number): TestFilter {
  return readSearch({}, search, now);
}

/** Undefined: newest first. */
export function toOrder(sort: TestQuery["sort"]): ScoreOrder | undefined {
  return { newest: undefined, score: "lowest", "-score": "highest" }[sort] as ScoreOrder | undefined;
}

function readSearch(plain: TestFilter, search: string, now: number): TestFilter {
  const { terms, problems } = parseSearch(search, { now, ...utcDays });
  const [problem] = problems;
  if (problem !== undefined) throw wrongSearch(problem);
  let filter = plain;
  for (const term of terms) filter = withTerm(filter, term);
  if ((filter.words?.length ?? 0) > mostWords) throw wrongSearch(`Use at most ${mostWords} words.`);
  return filter;
}

function wrongSearch(message: string): Refusal {
  return new Refusal("invalid_request", message, { field: "search" });
}

/** What an index finds goes into its own field, unless another value is there already. */
function withTerm(filter: TestFilter, { part, isNot }: SearchTerm): TestFilter {
  const term = { isNot, ...toTerm(part) };
  if (isNot) return also(filter, term);
  if (part.field === "words") return withWords(filter, part.text);
  if (part.field === "from") return withSender(filter, part);
  if (part.field === "label" && filter.label === undefined) return { ...filter, label: part.text };
  if (part.field === "status" && filter.status === undefined) return { ...filter, status: part.value };
  if (term.field === "score") return withScores(filter, term);
  if (term.field === "received") return withTimes(filter, term);
  return also(filter, term);
}

function withWords(filter: TestFilter, text: string): TestFilter {
  return { ...filter, words: [...(filter.words ?? []), ...toWords(text)] };
}

function withSender(filter: TestFilter, { domain, text }: Part<"from">): TestFilter {
  const found = text === null ? filter : withWords(filter, text);
  if (domain === null) return found;
  const fromDomain = toDomain(domain);
  return found.fromDomain === undefined
    ? { ...found, fromDomain }
    : also(found, { isNot: false, field: "from_domain", value: fromDomain });
}

function withScores(filter: TestFilter, { least, most }: Part<"score">): TestFilter {
  const { minScore = least, maxScore = most } = filter;
  return { ...filter, minScore: Math.max(minScore, least), maxScore: Math.min(maxScore, most) };
}

function withTimes(filter: TestFilter, { from, before }: TimeTerm): TestFilter {
  const known = { from: filter.from ?? from ?? "", before: filter.before ?? before ?? "" };
  return {
    ...filter,
    ...(from !== null && { from: known.from < from ? from : known.from }),
    ...(before !== null && { before: known.before > before ? before : known.before }),
  };
}

type Part<Field extends SearchPart["field"]> = Extract<SearchPart, { readonly field: Field }>;
type TimeTerm = Extract<TestTerm, { readonly field: "received" }>;

function also(filter: TestFilter, term: TestTerm): TestFilter {
  return { ...filter, terms: [...(filter.terms ?? []), term] };
}

type Bare<Term> = Term extends unknown ? Omit<Term, "isNot"> : never;

function toTerm(part: SearchPart): Bare<TestTerm> {
  switch (part.field) {
    case "words":
      return { field: "words", words: toWords(part.text) };
    case "from":
      return part.text === null
        ? { field: "from_domain", value: toDomain(part.domain ?? "") }
        : { field: "words", words: toWords(part.text) };
    case "label":
      return { field: "label", value: part.text };
    case "to":
      return { field: "to", value: part.text.toLowerCase() };
    case "received":
      return {
        field: "received",
        from: part.from === null ? null : toBeginning(part.from),
        before: part.before === null ? null : toBeginning(part.before),
      };
    case "spf":
    case "dkim":
    case "dmarc":
    case "malware":
    case "placement":
      // Each field has its own values, which the compiler doesn't see in a union.
      return { field: part.field, value: part.value === "unknown" ? null : part.value } as Bare<TestTerm>;
    case "type":
      return { field: "kind", value: part.value === "unknown" ? null : part.value };
    default:
      return part;
  }
}

function toWords(text: string): string[] {
  const words = toSearchWords(text);
  if (words.length === 0) throw wrongSearch("Write a word to search for.");
  if (words.length > mostWords) throw wrongSearch(`Use at most ${mostWords} words.`);
  return words;
}

function toDomain(text: string): string {
  const domain = toAsciiDomain(text);
  if (domain === null) throw wrongSearch("“from:” needs a domain, an address, or a word.");
  return domain;
}

function toBeginning(time: number): string {
  return beginningAt("test", Math.max(time, 0));
}
