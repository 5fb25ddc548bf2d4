import { defineCheck, notApplicable, skipped } from "../check.ts";
import { isHeaderCut, linesNamed } from "./header-lines.ts";

export const mimeVersion = defineCheck({
  id: "mime-version",
  area: "format",
  label: "MIME-Version",
  owner: "email-service",
  asks: "whether MIME is announced",
  why: "Without it readers may show the source.",
  refs: ["RFC 2045 §4"],
  needs: ["message", "raw"],
  kinds: "all",
  domain: "no",
  passes: "MIME-Version is 1.0.",
  findings: {
    missing: {
      severity: "minor",
      cost: 8,
      title: "No MIME-Version header",
      says: "MIME-Version is missing.",
      fix: "Add `MIME-Version: 1.0`.",
    },
    wrong: {
      severity: "minor",
      cost: 3,
      title: "Wrong MIME-Version",
      says: 'MIME-Version says "{value}".',
      fix: "Write `MIME-Version: 1.0`.",
    },
  },
  run({ message, raw }) {
    const [line] = linesNamed({ raw, message }, "mime-version");
    if (line) {
      const version = withoutComments(line.value).replace(/\s/g, "");
      return version === "1.0" ? [] : [{ finding: "wrong", data: { value: line.value }, evidence: line }];
    }
    const announced = raw.headers.find(({ key }) => /^content-(?:type|transfer-encoding)$/.test(key));
    if (announced) {
      if (isHeaderCut(message)) return skipped("too-large");
      const { name, line: at, offset } = announced;
      return [{ finding: "missing", evidence: { announcedBy: name, line: at, offset } }];
    }
    return notApplicable("The message is plain text without MIME.");
  },
});

/** They may stand anywhere, and within each other (RFC 2045 §4, RFC 5322 §3.2.2). */
function withoutComments(text: string): string {
  let depth = 0;
  return text.replace(/\\?./gs, (piece) => {
    if (piece === "(") depth++;
    const isOutside = depth === 0;
    if (piece === ")" && depth > 0) depth--;
    return isOutside ? piece : "";
  });
}
