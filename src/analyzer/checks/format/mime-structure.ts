import type { Message } from "../../mail/mime/message.ts";
import type { Raw } from "../../mail/mime/raw.ts";
import { defineCheck, type Raised } from "../check.ts";
import { arePartsCut } from "./header-lines.ts";
import { aboutPart, faultsNamed, type PartFault, toPartName } from "./mime-faults.ts";

export const mimeStructure = defineCheck({
  id: "mime-structure",
  helpPage: "fix-encoding",
  label: "MIME structure",
  owner: "email-service",
  asks: "whether the MIME structure is valid",
  why: "A broken structure can hide text or attachments.",
  refs: ["RFC 2046 §5.1.1", "RFC 2045 §5.1, §6.4"],
  needs: ["raw", "message"],
  passes: "The MIME structure is valid.",
  findings: {
    "boundary-missing": {
      severity: "major",
      title: "Broken MIME boundary",
      says: "{where} is {type} and {problem}. Email clients may not find its parts.",
      fix: "Use the same boundary in Content-Type and between the parts. It can have up to 70 letters, digits, and `'()+_,-./:=?`.",
      gates: [{ provider: "gmail", sender: "any", may: true, reply: "554 5.6.0" }],
    },
    "boundary-repeated": {
      severity: "minor",
      cost: 8,
      title: "Reused MIME boundary",
      says: '{where} and a part inside it use the same boundary "{boundary}". Email clients may lose parts.',
      fix: "Use a different boundary for each multipart.",
    },
    unclosed: {
      severity: "minor",
      cost: 8,
      title: "Last MIME part not closed",
      says: "The closing boundary is missing.",
      fix: "End the message with `--{boundary}--`.",
    },
    deep: {
      severity: "minor",
      cost: 8,
      title: "MIME parts nested too deeply",
      says: "MIME parts are nested {depth} levels deep. Exchange rejects such messages.",
      fix: "Reduce the nesting.",
      gates: [{ provider: "other", sender: "any", may: true, reply: "554 5.4.11 (Exchange)" }],
    },
    "encoded-container": {
      severity: "major",
      title: "Encoded MIME container",
      says: "{where} contains other parts and is encoded as {cte}, which is not allowed.",
      fix: "Encode only parts that contain no other parts.",
    },
    external: {
      severity: "major",
      title: "Content hidden from scanners",
      says: "The message uses {type}, which hides its content from scanners.",
      fix: "Send the content directly.",
    },
    "unreadable-type": {
      severity: "minor",
      cost: 8,
      title: "Unreadable Content-Type",
      says: 'The Content-Type of part {part} is unreadable: "{value}". Some email clients treat the part as plain text.',
      fix: "Use the format `type/subtype; name=value`, for example `text/html; charset=utf-8`.",
    },
    empty: {
      severity: "critical",
      title: "Empty message",
      owner: "content",
      says: "The message is empty.",
      fix: "Add content to the message.",
      why: "Recipients see nothing, and filters distrust mail without content.",
    },
  },
  run({ raw, message }) {
    return [...findAtBoundaries(raw), ...findInParts(raw), ...findDeep(message), ...findEmpty(raw, message)];
  },
});

function findAtBoundaries(raw: Raw): Raised<"boundary-missing" | "boundary-repeated" | "unclosed">[] {
  const byPart = new Map<string, PartFault>();
  const faults = faultsNamed(raw, "boundary-missing", "boundary-illegal", "boundary-absent");
  for (const fault of faults) byPart.set(fault.part, fault);
  const missing = [...byPart.values()].map((fault) => ({
    finding: "boundary-missing" as const,
    data: { where: toPartName(fault.part), type: fault.type, problem: problemOf(fault) },
    ...aboutPart(fault),
  }));
  const repeated = faultsNamed(raw, "boundary-repeated").map((fault) => ({
    finding: "boundary-repeated" as const,
    data: { where: toPartName(fault.part), boundary: fault.value },
    ...aboutPart(fault),
  }));
  // A truncated message leaves every open part unclosed, so only one is reported.
  const [unclosed] = faultsNamed(raw, "unclosed");
  const open = unclosed
    ? [{ finding: "unclosed" as const, data: { boundary: unclosed.value }, ...aboutPart(unclosed) }]
    : [];
  return [...missing, ...repeated, ...open];
}

function problemOf({ fault, value }: PartFault): string {
  if (fault === "boundary-missing") return "declares no boundary";
  return fault === "boundary-absent"
    ? `declares the boundary "${value}", which does not occur`
    : `declares "${value}" as its boundary, which is not valid`;
}

function findInParts(raw: Raw): Raised<"encoded-container" | "external" | "unreadable-type">[] {
  const encoded = faultsNamed(raw, "encoded-container").map((fault) => ({
    finding: "encoded-container" as const,
    data: { where: toPartName(fault.part), cte: fault.value },
    ...aboutPart(fault),
  }));
  const external = faultsNamed(raw, "external").map((fault) => ({
    finding: "external" as const,
    data: { type: fault.type },
    ...aboutPart(fault),
  }));
  const unreadable = faultsNamed(raw, "unreadable-type").map((fault) => ({
    finding: "unreadable-type" as const,
    data: { part: fault.part, value: fault.value },
    ...aboutPart(fault),
  }));
  return [...encoded, ...external, ...unreadable];
}

/** Exchange's limit. */
const maxNesting = 10;

function findDeep({ nesting }: Message): Raised<"deep">[] {
  return nesting > maxNesting ? [{ finding: "deep", data: { depth: nesting } }] : [];
}

function findEmpty({ blankLine, counts, headerBytes }: Raw, message: Message): Raised<"empty">[] {
  if (!message.isEmpty || arePartsCut(message)) return [];
  const hasLostBody = !blankLine && counts.badHeaderLines > 0;
  const evidence = { bodyBytes: message.sizeBytes - headerBytes };
  return [{ finding: "empty", evidence, ...(hasLostBody && { ownedBy: "header-syntax.no-separator" }) }];
}
