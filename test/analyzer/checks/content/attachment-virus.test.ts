import { attachmentVirus } from "../../../../src/analyzer/checks/content/attachment-virus.ts";
import { type Fact, known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import type { MalwareScan } from "../../../../src/analyzer/checks/infrastructure-facts.ts";
import { zip } from "../../mail/files.ts";
import { testCheck } from "../test-check.ts";
import { attached } from "./given.ts";

type Result = MalwareScan["files"][number]["fact"];
const sha256 = "ab".repeat(32);
const clean: Result = known({ bytes: 10, sha256, signature: null });
const found = (signature: string): Result => known({ bytes: 10, sha256, signature });

function scanned(files: Readonly<Record<string, Result>>): MalwareScan {
  return {
    scanner: "ClamAV 1.4.6",
    database: 27_840,
    databaseAt: "2026-11-20T10:22:33.000Z",
    files: Object.entries(files).map(([of, fact]) => ({ of, fact })),
  };
}

const pdf = attached({ name: "report.pdf", content: "%PDF-1.7", type: "application/pdf" });
const part = pdf.attachments[0]?.part ?? "";
const locked = attached({ name: "a.zip", content: zip({ name: "a.txt", encrypted: true }) });
const open: Fact<never> = unknown("over-scan-limit");

testCheck(attachmentVirus, [
  {
    when: "passes if ClamAV scanned everything and found nothing",
    facts: { ...pdf, malware: scanned({ message: clean, [part]: clean }) },
    says: "ClamAV found no malware in the message and its attachment.",
  },
  {
    when: "passes a message without attachments",
    facts: { ...attached(), malware: scanned({ message: clean }) },
    says: "ClamAV found no malware in the message.",
  },
  {
    when: "finds malware, and names it, the file, and its hash once",
    facts: { ...pdf, malware: scanned({ message: found("Win.Worm"), [part]: found("Win.Worm") }) },
    finds: ["found"],
    says: "ClamAV found Win.Worm in the attachment report.pdf.",
  },
  {
    when: "finds malware even if the whole message is too large to scan",
    facts: { ...pdf, malware: scanned({ message: open, [part]: found("Win.Worm") }) },
    finds: ["found"],
  },
  {
    when: "finds malware outside of attachments",
    facts: { ...pdf, malware: scanned({ message: found("Html.Phish"), [part]: clean }) },
    finds: ["in-message"],
    says: "ClamAV found Html.Phish in the message, but not in one of its attachments.",
  },
  {
    when: "doesn't say that malware is outside of attachments if one couldn't be scanned",
    facts: { ...pdf, malware: scanned({ message: found("Win.Worm"), [part]: open }) },
    finds: ["in-message"],
    says: "ClamAV found Win.Worm in the message. Not every attachment could be scanned on its own, so it may be in one of them.",
  },
  {
    when: "finds malware in the message next to a heuristic result for an attachment",
    facts: {
      ...pdf,
      malware: scanned({ message: found("Html.Phish"), [part]: found("Heuristics.OLE2.ContainsMacros") }),
    },
    finds: ["suspicious", "in-message"],
  },
  {
    when: "doesn't report a heuristic result as malware",
    facts: { ...pdf, malware: scanned({ message: clean, [part]: found("Heuristics.OLE2.ContainsMacros") }) },
    finds: ["suspicious"],
  },
  {
    when: "names the message for a heuristic result about it",
    facts: { ...attached(), malware: scanned({ message: found("Heuristics.Phishing.Email.SpoofedDomain") }) },
    finds: ["suspicious"],
    says: "ClamAV reports Heuristics.Phishing.Email.SpoofedDomain for the message. This is a rule of thumb, not known malware.",
  },
  {
    when: "is skipped if one file couldn't be scanned",
    facts: { ...pdf, malware: scanned({ message: clean, [part]: open }) },
    outcome: "skipped",
  },
  {
    when: "is skipped if the message couldn't be scanned",
    facts: { ...pdf, malware: scanned({ message: unknown("silent"), [part]: clean }) },
    outcome: "skipped",
  },
  {
    when: "is skipped if a result is missing",
    facts: { ...pdf, malware: scanned({ message: clean }) },
    outcome: "skipped",
  },
  {
    when: "is skipped for an encrypted archive that ClamAV skipped",
    facts: { ...locked, malware: scanned({ message: clean, [locked.attachments[0]?.part ?? ""]: clean }) },
    outcome: "skipped",
  },
]);
