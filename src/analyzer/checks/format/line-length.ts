import { toStorableCut } from "../../mail/text/bounds.ts";
import { defineCheck, passed } from "../check.ts";
import { ownerOfBrokenBytes } from "./mime-faults.ts";

export const lineLength = defineCheck({
  id: "line-length",
  helpPage: "fix-encoding",
  label: "Line length",
  owner: "email-service",
  asks: "whether lines are within the length limit",
  why: "Relays break longer lines, which also breaks DKIM signatures.",
  refs: ["RFC 5322 §2.1.1", "RFC 5321 §4.5.3.1.6"],
  needs: ["raw"],
  wants: ["dkim", "kind"],
  passes: "The longest line is {bytes} bytes long.",
  findings: {
    "over-998": {
      severity: "major",
      title: "Line too long",
      says: "Line {line} is {bytes} bytes long. The limit is 998.",
      fix: "[[Shorten the {header} header, or fold it at its spaces.]][[Send part {part} as quoted-printable or base64.]]",
    },
  },
  run({ raw, dkim, kind }) {
    const { bytes, line, offset, where } = raw.longestLine;
    if (bytes <= maxBytes) return passed({ bytes });
    const isInHeader = where === "header";
    const field = isInHeader ? raw.headers.findLast((before) => before.offset <= offset) : undefined;
    const header = isInHeader ? toStorableCut(field?.name ?? "first", 100) : null;
    const data = { line, bytes, header, part: isInHeader ? null : where };
    const owner = ownerOfBrokenBytes(dkim, kind);
    return [{ finding: "over-998", data, evidence: { offset, where }, ...(owner && { ownedBy: owner }) }];
  },
});

/** Without the line ending. */
const maxBytes = 998;
