import { defineCheck, passed } from "../check.ts";
import { toProposedName } from "../impersonation/judge-name.ts";
import { valuesOf } from "../mail-domain.ts";
import { authorOf, domainToPaste, listDomainToPaste, type Party, quoted } from "../party.ts";

export const listId = defineCheck({
  id: "list-id",
  helpPage: "fix-list-unsubscribe",
  label: "List-Id",
  owner: "email-service",
  asks: "whether bulk mail identifies its list",
  why: "Recipients and providers use List-Id to filter mail by list.",
  refs: ["RFC 2919"],
  needs: ["message"],
  wants: ["kind"],
  kinds: ["bulk"],
  passes: "List-Id identifies the list: {value}.",
  findings: {
    malformed: {
      severity: "minor",
      cost: 3,
      title: "Invalid List-Id header",
      says: "List-Id is invalid: {problem}.",
      fix: "Send one header: `List-Id: {name} <{list}>`.",
    },
    missing: {
      severity: "info",
      title: "No List-Id header",
      says: "The message has no List-Id header.",
      fix: "Optional: add `List-Id: {name} <{list}>`.",
    },
  },
  run({ message, kind }) {
    const values = valuesOf(message, "list-id");
    const [value] = values;
    const isPost = kind.known && kind.value.mailingList;
    const data = isPost
      ? { name: "Our list", list: `list.${listDomainToPaste(message)}` }
      : { name: nameToPaste(authorOf(message)), list: `news.${domainToPaste(message)}` };
    if (value === undefined) return [{ finding: "missing", data }];
    if (values.length > 1)
      return [{ finding: "malformed", data: { ...data, problem: `it appears ${values.length} times` } }];
    if (readListId(value) === null) {
      const problem = `"${quoted(value)}" has no identifier like <list.domain>`;
      return [{ finding: "malformed", data: { ...data, problem } }];
    }
    return passed({ value: quoted(value) });
  },
});

/** The identifier (RFC 2919 §3): dot-separated labels in angle brackets at the end. */
function readListId(value: string): string | null {
  const open = value.lastIndexOf("<");
  const identifier = value.endsWith(">") && open >= 0 ? value.slice(open + 1, -1).trim() : "";
  return /^[^\s<>.]{1,200}(?:\.[^\s<>.]{1,200}){1,20}$/.test(identifier) ? identifier : null;
}

function nameToPaste(author: Party | null): string {
  const name = author?.name ?? "";
  return toProposedName(/^[\w -]{1,60}$/.test(name) ? name : "", author?.address ?? "", "Newsletter");
}
