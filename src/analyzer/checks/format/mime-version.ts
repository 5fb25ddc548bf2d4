import { defineCheck, notApplicable, skipped } from "../check.ts";
import { isHeaderCut, linesNamed } from "./header-lines.ts";

export const mimeVersion = defineCheck({
  id: "mime-version",
  helpPage: "fix-encoding",
  label: "MIME-Version",
  owner: "email-service",
  asks: "whether the MIME-Version header is present",
  why: "Without it, email clients may show the raw source.",
  refs: ["RFC 2045 §4"],
  needs: ["message", "raw"],
  passes: "MIME-Version is 1.0.",
  findings: {
    missing: {
      severity: "minor",
      cost: 8,
      title: "No MIME-Version header",
      says: "The message uses MIME but has no MIME-Version header.",
      fix: "Add `MIME-Version: 1.0`.",
    },
    wrong: {
      severity: "minor",
      cost: 3,
      title: "Wrong MIME-Version",
      says: 'MIME-Version is "{value}" instead of 1.0.',
      fix: "Use `MIME-Version: 1.0`.",
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

/** Comments may be anywhere and may be nested (RFC 2045 §4, RFC 5322 §3.2.2). */
function withoutComments(text: string): string {
  let depth = 0;
  return text.replace(/\\?./gs, (piece) => {
    if (piece === "(") depth++;
    const isOutside = depth === 0;
    if (piece === ")" && depth > 0) depth--;
    return isOutside ? piece : "";
  });
}
