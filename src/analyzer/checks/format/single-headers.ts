import type { Raw } from "../../mail/mime/raw.ts";
import { toStorableCut } from "../../mail/text/bounds.ts";
import { defineCheck, type Raised } from "../check.ts";
import { maxTold } from "./header-lines.ts";
import { aboutPart, faultsNamed, toPartName } from "./mime-faults.ts";

export const singleHeaders = defineCheck({
  id: "single-headers",
  helpPage: "fix-headers",
  label: "Duplicate headers",
  owner: "email-service",
  asks: "whether headers that must be unique appear only once",
  why: "Gmail and Yahoo reject duplicates, because email clients and filters may read different ones.",
  refs: ["RFC 5322 §3.6", "RFC 2045", "Gmail, Yahoo sender rules"],
  needs: ["raw"],
  passes: "No duplicate headers.",
  findings: {
    repeated: {
      severity: "major",
      title: "Duplicate header",
      says: "The {header} header appears {count} times.",
      fix: "Send it only once. Two systems in your sending path may both be adding it.",
      gates: [
        { provider: "gmail", sender: "any", reply: "550 5.7.1" },
        { provider: "yahoo", sender: "any", reply: "554" },
      ],
    },
    "repeated-in-part": {
      severity: "minor",
      cost: 8,
      title: "Duplicate header in a part",
      says: "{where} has more than one {header} header, so email clients may read it differently.",
      fix: "Send it once per part.",
    },
  },
  run({ raw }) {
    return [...findRepeated(raw), ...findRepeatedInParts(raw)];
  },
});

/** Other checks cover From, Date, Subject, To, Cc, Message-ID and List-* headers. */
const once: ReadonlySet<string> = new Set([
  "sender",
  "reply-to",
  "in-reply-to",
  "references",
  "mime-version",
  "content-type",
  "content-transfer-encoding",
]);

function findRepeated({ headers }: Raw): Raised<"repeated">[] {
  const byKey = Map.groupBy(
    headers.filter(({ key }) => once.has(key)),
    ({ key }) => key,
  );
  return [...byKey.values()].flatMap((fields): Raised<"repeated">[] => {
    const [first] = fields;
    if (!first || fields.length < 2) return [];
    const seen = fields
      .slice(0, maxTold)
      .map(({ line, offset, rawValue }) => ({ line, offset, value: toStorableCut(rawValue.trim(), 200) }));
    const header = first.name;
    return [
      { finding: "repeated", data: { header, count: fields.length }, subject: header, evidence: { fields: seen } },
    ];
  });
}

function findRepeatedInParts(raw: Raw): Raised<"repeated-in-part">[] {
  return faultsNamed(raw, "repeated-field").map((fault) => ({
    finding: "repeated-in-part",
    data: { where: toPartName(fault.part), header: fault.value },
    ...aboutPart(fault),
  }));
}
