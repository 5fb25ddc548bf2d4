import type { Occurrences } from "../../mail/mime/line-facts.ts";
import { hasOwnSession } from "../../mail/session/doors.ts";
import { defineCheck, notApplicable, type Raised } from "../check.ts";
import { ownerOfBrokenBytes } from "./mime-faults.ts";

export const lineEndings = defineCheck({
  id: "line-endings",
  helpPage: "fix-encoding",
  label: "Line endings",
  owner: "email-service",
  asks: "whether all lines end with CRLF",
  why: "Bare line feeds break DKIM signatures, and some servers reject them to prevent SMTP smuggling.",
  refs: ["RFC 5322 §2.3", "RFC 5321 §2.3.8"],
  needs: ["raw", "session"],
  wants: ["dkim", "kind"],
  passes: "All lines end with CRLF.",
  findings: {
    bare: {
      severity: "major",
      title: "Invalid line endings",
      says: "Some lines end with a bare {kind} instead of CRLF ({count} in total, first at line {line}).",
      fix: "Set your software to end lines with CRLF.",
      gates: [
        { provider: "other", sender: "any", may: true, reply: "521 5.5.2 (Postfix that rejects bare line feeds)" },
      ],
    },
    nul: {
      severity: "major",
      title: "NUL bytes in message",
      says: "The message contains NUL bytes ({count} in total, first at byte {offset}).",
      fix: "Encode binary data as base64.",
    },
  },
  run({ raw, session, dkim, kind }) {
    if (!hasOwnSession(session)) return notApplicable("The line endings can differ from those that were sent.");
    const { bareLf, bareCr, nul } = raw;
    const raised: Raised<"bare" | "nul">[] = [];
    const bare = findBare(bareLf, bareCr);
    const owner = bare && ownerOfBrokenBytes(dkim, kind);
    if (bare) raised.push({ ...bare, ...(owner && { ownedBy: owner }) });
    if (nul.first) {
      const { offset, line } = nul.first;
      raised.push({ finding: "nul", data: { count: nul.count, offset }, evidence: { line } });
    }
    return raised;
  },
});

function findBare(lf: Occurrences, cr: Occurrences): Raised<"bare"> | null {
  const [first] = [lf.first, cr.first]
    .filter((place) => place !== null)
    .sort((one, other) => one.offset - other.offset);
  if (!first) return null;
  const kind = [...(lf.first ? ["LF"] : []), ...(cr.first ? ["CR"] : [])].join(" or ");
  const evidence = { offset: first.offset, bareLf: lf.count, bareCr: cr.count };
  return { finding: "bare", data: { kind, count: lf.count + cr.count, line: first.line }, evidence };
}
