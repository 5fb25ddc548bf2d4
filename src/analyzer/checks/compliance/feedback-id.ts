import { defineCheck, passed } from "../check.ts";
import { valuesOf } from "../mail-domain.ts";
import { quoted } from "../party.ts";

/** Google's limits for the SenderId field. */
const shortest = 5;
const longest = 15;

export const feedbackId = defineCheck({
  id: "feedback-id",
  helpPage: "fix-list-unsubscribe",
  label: "Feedback-ID",
  owner: "email-service",
  asks: "whether Feedback-ID follows Gmail's format",
  why: "Without a valid Feedback-ID, Gmail's Feedback Loop shows no spam rates for your campaigns.",
  refs: ['Google "Feedback Loop"'],
  needs: ["message", "kind"],
  kinds: ["bulk", "transactional"],
  passes: "{what}.",
  findings: {
    malformed: {
      severity: "minor",
      cost: 3,
      title: "Invalid Feedback-ID header",
      says: "Gmail cannot use the Feedback-ID header: {problem}.",
      fix: "Send one header, `Feedback-ID: campaign:customer:type:SenderId`. Use the same SenderId of 5 to 15 characters in all mail.",
    },
    "field-length": {
      severity: "info",
      title: "Wrong Feedback-ID field length",
      says: 'The last field of Feedback-ID is "{field}". Gmail asks for 5 to 15 characters.',
      fix: "Use 5 to 15 characters in the last field[[, or ask {esp} to change it]].",
    },
  },
  run({ message, kind }) {
    const values = valuesOf(message, "feedback-id");
    const [value] = values;
    if (value === undefined) return passed({ what: "The message has no Feedback-ID header, which is optional" });
    const malformed = (problem: string) => [{ finding: "malformed" as const, data: { problem } }];
    if (values.length > 1) return malformed(`the header appears ${values.length} times`);
    const field = value.slice(value.lastIndexOf(":") + 1).trim();
    if (field === "") return malformed(`the last field of "${quoted(value)}" is empty`);
    if (field.length < shortest || field.length > longest)
      return [{ finding: "field-length", data: { field: quoted(field), esp: kind.esp?.name ?? null } }];
    return passed({ what: "The Feedback-ID header follows Gmail's format" });
  },
});
