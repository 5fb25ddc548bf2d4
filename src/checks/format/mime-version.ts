import { defineCheck, notApplicable, skipped } from "../check.ts";
import { isHeaderCut, linesNamed } from "./header-lines.ts";

export const mimeVersion = defineCheck({
  id: "mime-version",
  area: "format",
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
      says: "MIME-Version is missing.",
      fix: "Add `MIME-Version: 1.0`.",
    },
    wrong: {
      severity: "minor",
      cost: 3,
      says: 'MIME-Version says "{value}".',
      fix: "Write `MIME-Version: 1.0`.",
    },
  },
  run({ message, raw }) {
    const [line] = linesNamed({ raw, message }, "mime-version");
    if (line) {
      // A comment may stand anywhere (RFC 2045 §4).
      const version = line.value.replace(/\([^()]*\)/g, "").replace(/\s/g, "");
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
