import { toStorableCut } from "../../mail/storable.ts";
import { defineCheck, notApplicable, type Raised, skipped } from "../check.ts";
import { encodeHeader } from "./encode-header.ts";
import { maxTold } from "./told.ts";

export const header8Bit = defineCheck({
  id: "header-8bit",
  area: "format",
  label: "Header encoding",
  owner: "email-service",
  asks: "whether headers are pure ASCII",
  why: "Raw 8-bit text in headers is refused or shown as rubbish, unless the session agreed on SMTPUTF8.",
  refs: ["RFC 5322 §2.2", "RFC 6532"],
  needs: ["raw"],
  wants: ["session"],
  kinds: "all",
  domain: "no",
  passes: "Headers are pure ASCII.",
  findings: {
    raw: {
      severity: "major",
      cost: 18,
      title: "Unencoded text in headers",
      says: "{header} holds unencoded text.",
      fix: "Encode it by RFC 2047[[: `{header}: {encoded}`]].",
      gates: [
        { provider: "gmail", sender: "any", reply: "550 5.7.1" },
        { provider: "yahoo", sender: "any", reply: "554" },
      ],
    },
  },
  run({ raw, session }) {
    const { eightBitHeaders, counts } = raw;
    if (eightBitHeaders.length === 0) return [];
    if (!session.known) return skipped(session.why);
    // A file does not tell how it was sent.
    if (session.value.source !== "smtp") return skipped("no-session");
    if (session.value.smtpUtf8) return notApplicable("The session agreed on UTF-8 in headers (SMTPUTF8).");
    return eightBitHeaders.slice(0, maxTold).map((field): Raised<"raw"> => {
      const { value, line, offset } = field;
      const name = toStorableCut(field.name, 100);
      const evidence = { line, offset, value, headersInAll: counts.eightBitHeaders };
      return {
        finding: "raw",
        data: { header: name, encoded: toEncoded(name, value) },
        subject: name,
        evidence,
      };
    });
  },
});

/** Of a value that was cut only the beginning could be given. */
function toEncoded(name: string, value: string): string | null {
  return value.endsWith("…") ? null : encodeHeader(name.toLowerCase(), value);
}
