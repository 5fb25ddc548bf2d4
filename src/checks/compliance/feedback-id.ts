import { defineCheck, passed } from "../check.ts";
import { valuesOf } from "../mail-domain.ts";
import { quoted } from "../party.ts";

/** What Google asks of the sender's own field. */
const shortest = 5;
const longest = 15;

export const feedbackId = defineCheck({
  id: "feedback-id",
  area: "compliance",
  label: "Feedback-ID",
  owner: "email-service",
  asks: "whether Feedback-ID follows Gmail's form",
  why: "A wrong form yields no complaint figures.",
  refs: ['Google "Feedback Loop"'],
  needs: ["message", "kind"],
  kinds: ["bulk", "transactional"],
  domain: "no",
  passes: "{what}.",
  findings: {
    malformed: {
      severity: "minor",
      cost: 3,
      title: "Invalid Feedback-ID header",
      says: "Gmail cannot count by Feedback-ID: {problem}.",
      fix: "Write `Feedback-ID: campaign:customer:type:SenderId` once; the last field has 5 to 15 characters and stays the same.",
    },
    "field-length": {
      severity: "info",
      cost: 0,
      title: "Wrong Feedback-ID field length",
      says: 'The last field of Feedback-ID is "{field}"; Gmail asks for 5 to 15 characters.',
      fix: "Give the last field 5 to 15 characters[[, or ask {esp} to]].",
    },
  },
  run({ message, kind }) {
    const values = valuesOf(message, "feedback-id");
    const [value] = values;
    if (value === undefined) return passed({ what: "Feedback-ID is optional, and isn’t used" });
    const malformed = (problem: string) => [{ finding: "malformed" as const, data: { problem } }];
    if (values.length > 1) return malformed(`there are ${values.length} of them`);
    const field = value.slice(value.lastIndexOf(":") + 1).trim();
    if (field === "") return malformed(`the last field of "${quoted(value)}" is empty`);
    if (field.length < shortest || field.length > longest)
      return [{ finding: "field-length", data: { field: quoted(field), esp: kind.esp?.name ?? null } }];
    return passed({ what: "Feedback-ID has the form that Gmail asks for" });
  },
});
