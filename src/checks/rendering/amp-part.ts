import type { AmpBody, Message } from "../../mail/mime/message.ts";
import { defineCheck, notApplicable, passed } from "../check.ts";
import { toCount } from "../format/amounts.ts";

const maxAmpBytes = 200_000;

export const ampPart = defineCheck({
  id: "amp-part",
  area: "rendering",
  label: "AMP part",
  owner: "content",
  asks: "whether the AMP part can be shown",
  why: "Gmail shows it only to spec and for registered, authenticated senders. Registration cannot be seen.",
  refs: ["AMP for Email documents"],
  needs: ["message"],
  kinds: ["bulk", "transactional"],
  domain: "no",
  passes: "The AMP part stands where it should, is marked, and has {bytes} bytes.",
  findings: {
    invalid: {
      severity: "minor",
      cost: 3,
      title: "Unusable AMP part",
      says: "The AMP part is not usable: {problem}.",
      fix: "Put it between text and HTML in multipart/alternative, and validate it.",
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
  if (!alternatives.includes(part)) problems.push("it is not one of the alternatives");
  else if (types.lastIndexOf("text/html") < alternatives.indexOf(part))
    problems.push(types.includes("text/html") ? "it stands after the HTML" : "no HTML stands beside it");
  if (!isMarked) problems.push("its `<html>` lacks the mark `⚡4email`");
  if (part.decodedBytes > maxAmpBytes)
    problems.push(`it has ${toCount(part.decodedBytes)} bytes, more than 200,000`);
  return problems;
}
