import type { EncodedWordProblem } from "../../mail/headers/encoded-words.ts";
import type { Raw } from "../../mail/mime/raw.ts";
import { toStorableCut } from "../../mail/text/bounds.ts";
import { decodeWords } from "../../mail/text/decoding.ts";
import { defineCheck, type Raised } from "../check.ts";
import { namesForeignBrand } from "../impersonation/judge-name.ts";
import { maxTold } from "./header-lines.ts";

export const encodedWords = defineCheck({
  id: "encoded-words",
  helpPage: "fix-headers",
  label: "Encoded headers",
  owner: "email-service",
  asks: "whether encoded headers that recipients see can be decoded",
  why: "If a header cannot be decoded, recipients see its raw code.",
  refs: ["RFC 2047 §2, §5"],
  needs: ["raw"],
  passes: "All encoded headers that recipients see can be decoded.",
  findings: {
    broken: {
      severity: "minor",
      cost: 8,
      title: "Broken header encoding",
      says: 'The {header} header is encoded incorrectly: "{value}" ({problem}). Email clients may show the raw code.',
      fix: "Encode whole words, with at most 75 characters each.",
      gates: [{ provider: "yahoo", sender: "any", may: true, reply: "554 (header value can not be decoded)" }],
    },
    "too-long": {
      severity: "minor",
      cost: 3,
      title: "Encoded word too long",
      says: 'The {header} header has an encoded word of over 75 characters: "{value}".',
      fix: "Encode whole words, with at most 75 characters each.",
      why: "Most email clients decode it, but the standard allows showing its raw code.",
    },
    misplaced: {
      severity: "minor",
      cost: 8,
      title: "Misplaced header encoding",
      says: "The {header} header has encoded text where it is not allowed.",
      fix: "Encode only display names, without quotes[[: `{encoded} <{address}>`]].",
      gates: [{ provider: "gmail", sender: "any", may: true, reply: "550 5.7.1" }],
    },
    needless: {
      severity: "info",
      title: "Unnecessary header encoding",
      says: "The {header} header is encoded even though it is plain ASCII.",
      fix: "Send it as plain text.",
      why: "Some spam filters count it as a weak sign of spam.",
    },
  },
  run({ raw }) {
    const found = new Map<string, Raised<Finding>>();
    for (const fault of raw.encodedWords)
      for (const raised of toRaised(fault, raw)) {
        // One finding per header: its words share a cause.
        const key = `${raised.finding} ${fault.header}`;
        if (!found.has(key)) found.set(key, raised);
      }
    return [...found.values()].slice(0, maxTold);
  },
});

type Finding = "broken" | "too-long" | "misplaced" | "needless";
type Fault = Raw["encodedWords"][number];

const problems: Readonly<Record<Exclude<EncodedWordProblem, "too-long">, string>> = {
  charset: "unknown character set",
  encoding: "the encoding must be B or Q",
  space: "it contains a space",
  damaged: "the encoded data is damaged",
  "split-character": "a character is split",
  unclosed: "the end marker is missing",
};

function toRaised(fault: Fault, raw: Raw): Raised<Finding>[] {
  const { header, word: value, problem, misplaced, needless, line, offset } = fault;
  const about = { subject: header, evidence: { word: value, line, offset, misplaced } };
  const raised: Raised<Finding>[] = [];
  if (problem === "too-long") raised.push({ finding: problem, data: { header, value }, ...about });
  else if (problem) raised.push({ finding: "broken", data: { header, value, problem: problems[problem] }, ...about });
  if (misplaced) {
    const data = { header, encoded: null, address: null, ...(misplaced === "quoted-string" && unquote(fault, raw)) };
    raised.push({ finding: "misplaced", data, ...about });
  }
  if (needless) raised.push({ finding: "needless", data: { header }, ...about });
  return raised;
}

const longestName = 1_000;

/** The unquoted name and the address after it; null if the header looks different. */
function unquote({ word, offset }: Fault, { headers }: Raw) {
  const value = headers.find((field) => field.offset === offset)?.rawValue ?? "";
  const at = value.indexOf(word);
  const begin = at < 0 ? -1 : value.lastIndexOf('"', at);
  const end = at < 0 ? -1 : value.indexOf('"', at);
  if (begin < 0 || end < 0 || end - begin > longestName) return null;
  const address = /^"\s{0,100}<([^<>\s]{3,254})>/.exec(value.slice(end, end + longestName))?.[1];
  if (address === undefined) return null;
  const encoded = value
    .slice(begin + 1, end)
    .replace(/\s+/g, " ")
    .trim();
  if (namesForeignBrand(decodeWords(encoded), address)) return null;
  return { encoded: toStorableCut(encoded, longestName), address: toStorableCut(address, longestName) };
}
