// What the operator's ClamAV found in the message and its attachments. A file that it couldn't look into is unknown, and
// then nothing passes.

import type { Attachment } from "../../mail/mime/attachments.ts";
import { defineCheck, findOpen, passed, type Raised, skipped } from "../check.ts";
import { type Fact, unknown } from "../fact.ts";
import type { MalwareScan } from "../infrastructure-facts.ts";
import { nameOf } from "./attachment-order.ts";
import { maxRaised, shown } from "./shown.ts";

type Scanned = MalwareScan["files"][number];
type Finding = "found" | "in-message" | "suspicious";

const receivers = "Mailbox providers scan attachments and reject or withhold known malware.";

export const attachmentVirus = defineCheck({
  id: "attachment-virus",
  helpPage: "fix-attachments",
  label: "Malware scan",
  owner: "content",
  asks: "whether ClamAV finds malware in the message",
  why: receivers,
  refs: ["Gmail SMTP errors", "ClamAV documentation"],
  needs: ["attachments", "malware"],
  passes: "ClamAV found no malware in {what}.",
  findings: {
    found: {
      severity: "critical",
      title: "Malware in attachment",
      says: "ClamAV found {signature} in the attachment {filename}.",
      fix: "Don't send this file. Check the computer that it comes from. If it is a false alarm, share a link to the file instead, and report it to ClamAV.",
      gates: [{ provider: "gmail", sender: "any", reply: "552 5.7.0" }],
    },
    "in-message": {
      severity: "critical",
      title: "Malware in message",
      says: "ClamAV found {signature} in the message{where}.",
      fix: "Remove the part of the message that contains it.",
      gates: [{ provider: "gmail", sender: "any", reply: "552 5.7.0" }],
    },
    suspicious: {
      severity: "major",
      title: "Suspicious to ClamAV",
      says: "ClamAV reports {signature} for {filename}. This is a rule of thumb, not known malware.",
      fix: "Check what the rule means, and remove what it reports.",
      why: "Mail servers that use ClamAV may reject the message.",
    },
  },
  run({ attachments, malware }) {
    const raised = [...raiseFiles(attachments, malware), ...raiseMessage(attachments, malware)];
    if (raised.length > 0) return raised;
    const open = findUnknown(attachments, malware);
    if (!open.known) return skipped(open.why);
    const count = attachments.length;
    const files = count === 1 ? " and its attachment" : count > 1 ? ` and its ${count} attachments` : "";
    return passed({ what: `the message${files}` });
  },
  open: ({ attachments, malware }) => findOpen("malware", [findUnknown(attachments, malware)]),
});

function raiseFiles(attachments: readonly Attachment[], { files, ...by }: MalwareScan): Raised<Finding>[] {
  const infected = attachments.flatMap((attachment): Raised<Finding>[] => {
    const found = findSignature(files.find(({ of }) => of === attachment.part));
    if (found === null) return [];
    const filename = nameOf(attachment);
    const { part, declared, bytes } = attachment;
    return [
      {
        finding: isHeuristic(found.signature) ? "suspicious" : "found",
        subject: filename,
        data: { signature: shown(found.signature), filename },
        evidence: { part, declared, bytes, sha256: found.sha256, ...by },
      },
    ];
  });
  // The most severe ones must not be those that are cut.
  return infected
    .toSorted((one, other) => Number(one.finding !== "found") - Number(other.finding !== "found"))
    .slice(0, maxRaised);
}

/** Only what no attachment explains. A heuristic about one doesn't explain malware. */
function raiseMessage(attachments: readonly Attachment[], { files, ...by }: MalwareScan): Raised<Finding>[] {
  const found = findSignature(files.find(({ of }) => of === "message"));
  if (found === null) return [];
  const isHint = isHeuristic(found.signature);
  const others = files.flatMap((file) => (file.of === "message" ? [] : (findSignature(file) ?? [])));
  if (others.some((other) => isHint || !isHeuristic(other.signature))) return [];
  const evidence = { sha256: found.sha256, ...by };
  const signature = shown(found.signature);
  if (isHint) return [{ finding: "suspicious", data: { signature, filename: "the message" }, evidence }];
  const isScanned = ({ part }: Attachment) => files.find(({ of }) => of === part)?.fact.known === true;
  const where = attachments.every(isScanned) ? elsewhere : maybeThere;
  return [{ finding: "in-message", data: { signature, where }, evidence }];
}

const elsewhere = ", but not in one of its attachments";
const maybeThere = ". Not every attachment could be scanned on its own, so it may be in one of them";

function findSignature(file: Scanned | undefined) {
  if (!file?.fact.known || file.fact.value.signature === null) return null;
  return { signature: file.fact.value.signature, sha256: file.fact.value.sha256 };
}

/** ClamAV's names for what looks wrong, such as macros, broken files or imitated links, and for unwanted software. */
function isHeuristic(signature: string): boolean {
  return /^(?:Heuristics|PUA)\./.test(signature);
}

/** clamd passes over what it can't open without a word, unless AlertEncrypted is set. */
function findUnknown(attachments: readonly Attachment[], { files }: MalwareScan): Fact<null> {
  const open = files.find(({ fact }) => !fact.known);
  if (open && !open.fact.known) return open.fact;
  const scanned = new Set(files.map(({ of }) => of));
  if (!scanned.has("message") || attachments.some(({ part }) => !scanned.has(part))) return unknown("budget");
  if (attachments.some(({ encrypted }) => encrypted)) return unknown("encrypted");
  const isBomb = attachments.some(({ warnings }) => warnings.some(({ warning }) => warning === "bomb"));
  return isBomb ? unknown("over-scan-limit") : { known: true, value: null };
}
