// Which tests a list contains, and in which order. The export takes the same.

import { z } from "zod";
import { toAsciiDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";
import { oneLine, queryDecimal, requestTime } from "../../../platform/contract/primitives.ts";
import { Refusal } from "../../../platform/errors.ts";
import { toSearchWords } from "../../../platform/search-words.ts";
import { longestSearch, searchOperators } from "../words/test-search-words.ts";

export const testStatus = z.enum(["received", "analyzing", "analyzed", "failed"]);

const someLabel = z.string().min(1).max(200);
/** For a new test or token. Old tests may have any. */
export const testLabel = someLabel.refine(...oneLine);

/** Reads the option --label of a command. */
export function readLabel(written: string | undefined): string | null {
  if (written === undefined || testLabel.safeParse(written).success) return written ?? null;
  const problem = "--label must have 1 to 200 characters and no line breaks or control characters.";
  throw new Refusal("invalid_request", problem);
}

const score = queryDecimal(0, 100);

/** In a search. */
export const mostWords = 10;

/** Filters can be combined. A test must match all of them. */
export const testFilters = {
  q: z
    .string()
    .max(200)
    .transform((text, context) => {
      const words = toSearchWords(text);
      if (words.length > 0 && words.length <= mostWords) return words;
      context.addIssue({ code: "custom", message: `must have 1 to ${mostWords} words` });
      return z.NEVER;
    })
    .optional()
    .describe(
      "Words that the subject or sender must contain, ignoring case. The first 400 characters of each are searched.",
    ),
  status: testStatus.optional().describe("Tests with this status."),
  label: someLabel.optional().describe("Tests with this label."),
  message_id: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe("Message-ID, with or without angle brackets. Known once a test is analyzed."),
  from_domain: z
    .string()
    .max(300)
    .transform((text, context) => {
      const domain = toAsciiDomain(text);
      if (domain === null) context.addIssue({ code: "custom", message: "must be a domain name like example.com" });
      return domain ?? z.NEVER;
    })
    .optional()
    .describe("Domain of the address in the From header."),
  min_score: score.optional().describe("Minimum `composite`, inclusive. Tests without a score are left out."),
  max_score: score.optional().describe("Maximum `composite`, inclusive. Tests without a score are left out."),
  since: requestTime.optional().describe("Received at or after this time."),
  until: requestTime.optional().describe("Received before this time."),
  search: z
    .string()
    .max(longestSearch)
    .optional()
    .meta({
      description: `A search as in the search box of the app: words, and ${searchOperators.map((name) => `\`${name}:\``).join(" ")}. \`-\` before a word or filter excludes what it finds. Days are in UTC.`,
      examples: ["spf:fail -label:ci score:<80 after:7d"],
    }),
  sort: z
    .enum(["newest", "score", "-score"])
    .default("newest")
    .describe("`score`: lowest score first. `-score`: highest first. Both leave out tests without a score."),
};
const testQuery = z.strictObject(testFilters);
export type TestQuery = z.output<typeof testQuery>;
