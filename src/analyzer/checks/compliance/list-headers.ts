import { readListAddresses } from "../../mail/headers/list-header.ts";
import { defineCheck, type Raised } from "../check.ts";
import { valuesOf } from "../mail-domain.ts";
import { quoted } from "../party.ts";

const names = ["List-Help", "List-Post", "List-Owner", "List-Archive", "List-Subscribe"] as const;

export const listHeaders = defineCheck({
  id: "list-headers",
  helpPage: "fix-list-unsubscribe",
  label: "List headers",
  owner: "email-service",
  asks: "whether other List-* headers are valid",
  why: "Some email clients show these headers as buttons.",
  refs: ["RFC 2369"],
  needs: ["message"],
  kinds: ["bulk"],
  passes: "Other List-* headers are valid or absent.",
  findings: {
    malformed: {
      severity: "minor",
      cost: 3,
      title: "Malformed list header",
      says: "{header} is invalid: {problem}.",
      fix: "Send one header with the URL in angle brackets: `{header}: <https://…>`.",
    },
  },
  run({ message }) {
    return names.flatMap((header): Raised<"malformed">[] => {
      const problem = problemOf(header, valuesOf(message, header.toLowerCase()));
      return problem === null ? [] : [{ finding: "malformed", subject: header, data: { header, problem } }];
    });
  },
});

function problemOf(header: string, values: readonly string[]): string | null {
  const [value] = values;
  if (value === undefined) return null;
  if (values.length > 1) return `it appears ${values.length} times`;
  // RFC 2369 §3.4: NO means that posting is not allowed. A comment may follow.
  if (header === "List-Post" && /^NO\b/i.test(value)) return null;
  const isReadable = readListAddresses(value).uris.some((uri) => /^[a-z][a-z0-9+.-]{1,30}:./i.test(uri));
  return isReadable ? null : `"${quoted(value)}" has no URL in angle brackets`;
}
