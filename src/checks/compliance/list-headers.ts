import { readListAddresses } from "../../mail/headers/list-header.ts";
import { defineCheck, type Raised } from "../check.ts";
import { valuesOf } from "../mail-domain.ts";
import { quoted } from "../party.ts";

const names = ["List-Help", "List-Post", "List-Owner", "List-Archive", "List-Subscribe"] as const;

export const listHeaders = defineCheck({
  id: "list-headers",
  area: "compliance",
  label: "List headers",
  owner: "email-service",
  asks: "whether other List- headers are readable",
  why: "Clients show them as buttons.",
  refs: ["RFC 2369"],
  needs: ["message"],
  kinds: ["bulk"],
  domain: "no",
  passes: "The other List- headers are absent or can be read.",
  findings: {
    malformed: {
      severity: "minor",
      cost: 3,
      title: "Malformed list header",
      says: "{header} cannot be read: {problem}.",
      fix: "Write one header with the address in angle brackets: `{header}: <https://…>`.",
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
  if (values.length > 1) return `it stands ${values.length} times`;
  // RFC 2369 §3.4: nobody may post; a comment may say so too.
  if (header === "List-Post" && /^NO\b/i.test(value)) return null;
  const isReadable = readListAddresses(value).uris.some((uri) => /^[a-z][a-z0-9+.-]{1,30}:./i.test(uri));
  return isReadable ? null : `"${quoted(value)}" holds no address in angle brackets`;
}
