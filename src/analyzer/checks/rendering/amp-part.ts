import type { AmpBody, Message } from "../../mail/mime/message.ts";
import { defineCheck, notApplicable, passed } from "../check.ts";
import { toCount } from "../format/amounts.ts";

const maxAmpBytes = 200_000;

export const ampPart = defineCheck({
  id: "amp-part",
  helpPage: "fix-rendering",
  label: "AMP part",
  owner: "content",
  asks: "whether the AMP part is valid",
  why: "Gmail shows only valid AMP from registered, authenticated senders. This check cannot verify the registration.",
  refs: ["AMP for Email documents"],
  needs: ["message"],
  kinds: ["bulk", "transactional"],
  passes: "The AMP part is in the right place, marked as AMP, and {bytes} bytes long.",
  findings: {
    invalid: {
      severity: "minor",
      cost: 3,
      title: "Unusable AMP part",
      says: "The AMP part is unusable: {problem}.",
      fix: "Put the AMP part between text and HTML in multipart/alternative, and validate it.",
    },
  },
  run({ message }) {
    if (message.isEmpty) return notApplicable("The message is empty.");
    const { amp } = message;
    if (!amp) return notApplicable("The message has no AMP part.");
    const problems = problemsOf(amp, message);
    if (problems.length === 0) return passed({ bytes: toCount(amp.part.decodedBytes) });
    return [{ finding: "invalid", data: { problem: problems }, evidence: { bytes: amp.part.decodedBytes } }];
  },
});

function problemsOf({ part, isMarked }: AmpBody, { alternatives }: Message): string[] {
  const types = alternatives.map(({ type }) => type);
  const problems: string[] = [];
  if (!alternatives.includes(part)) problems.push("it is not in multipart/alternative");
  else if (types.lastIndexOf("text/html") < alternatives.indexOf(part))
    problems.push(types.includes("text/html") ? "it comes after the HTML" : "there is no HTML part next to it");
  if (!isMarked) problems.push("its `<html>` has no `⚡4email` attribute");
  if (part.decodedBytes > maxAmpBytes)
    problems.push(`it is ${toCount(part.decodedBytes)} bytes long, but the limit is 200,000`);
  return problems;
}
