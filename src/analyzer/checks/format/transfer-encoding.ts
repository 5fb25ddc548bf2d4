import type { Raw } from "../../mail/mime/raw.ts";
import { defineCheck, type Raised } from "../check.ts";
import { aboutPart, faultsNamed, type PartFault, toPartName } from "./mime-faults.ts";

export const transferEncoding = defineCheck({
  id: "transfer-encoding",
  helpPage: "fix-encoding",
  label: "Transfer encoding",
  owner: "email-service",
  asks: "whether each part uses the encoding that it declares",
  why: "Wrong encodings break text and signatures.",
  refs: ["RFC 2045 §6"],
  needs: ["raw"],
  passes: "All parts use the encoding that they declare.",
  findings: {
    unknown: {
      severity: "minor",
      cost: 8,
      title: "Unknown transfer encoding",
      says: '{where} declares the unknown encoding "{cte}".',
      fix: "Declare the encoding that the part uses: 7bit, 8bit, quoted-printable, or base64.",
    },
    "wrong-7bit": {
      severity: "minor",
      cost: 8,
      title: "Undeclared 8-bit content",
      says: "{where} {declared} but contains 8-bit bytes ({count} in total, first at line {line}).",
      fix: "Encode the part as quoted-printable.",
    },
    broken: {
      severity: "minor",
      cost: 8,
      title: "Damaged transfer encoding",
      says: "The {cte} data of part {part} is damaged at line {line}.",
      fix: "Use your library's encoder.",
    },
    "needless-base64": {
      severity: "minor",
      cost: 3,
      title: "Plain text in base64",
      says: "{where} is plain ASCII text in base64, which spam filters distrust.",
      why: "Base64 hides plain text from simple filters, so spammers use it.",
      fix: "Use 7bit or quoted-printable.",
    },
  },
  run({ raw }) {
    return [...findUnknown(raw), ...findEightBit(raw), ...findDamaged(raw), ...findNeedless(raw)];
  },
});

function findUnknown(raw: Raw): Raised<"unknown">[] {
  return faultsNamed(raw, "unknown-encoding").map((fault) => ({
    finding: "unknown",
    data: { where: toPartName(fault.part), cte: fault.value },
    ...aboutPart(fault),
  }));
}

/** Leaves out parts with an unknown or damaged encoding, because the same bytes cause both issues. */
function findEightBit(raw: Raw): Raised<"wrong-7bit">[] {
  const told = new Set(faultsNamed(raw, "unknown-encoding", "damaged-encoding").map(({ part }) => part));
  return faultsNamed(raw, "eight-bit")
    .filter(({ part }) => !told.has(part))
    .map((fault) => ({
      finding: "wrong-7bit",
      data: { where: toPartName(fault.part), declared: declared(fault), count: fault.bytes, line: fault.line },
      ...aboutPart(fault),
    }));
}

function declared({ value }: PartFault): string {
  return value === null ? "declares no encoding" : `declares ${value}`;
}

function findDamaged(raw: Raw): Raised<"broken">[] {
  return faultsNamed(raw, "damaged-encoding").map((fault) => ({
    finding: "broken",
    data: { cte: fault.value, part: fault.part, line: fault.line },
    ...aboutPart(fault),
  }));
}

function findNeedless(raw: Raw): Raised<"needless-base64">[] {
  return faultsNamed(raw, "needless-base64").map((fault) => ({
    finding: "needless-base64",
    data: { where: toPartName(fault.part) },
    ...aboutPart(fault),
  }));
}
