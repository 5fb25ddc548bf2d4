import { expect, test } from "vitest";
import { attachmentDisguise } from "../../../../src/analyzer/checks/content/attachment-disguise.ts";
import { attachmentOrder, judgmentOf } from "../../../../src/analyzer/checks/content/attachment-order.ts";
import { attachmentRefused } from "../../../../src/analyzer/checks/content/attachment-refused.ts";
import { attachmentRisky } from "../../../../src/analyzer/checks/content/attachment-risky.ts";
import { attachmentType } from "../../../../src/analyzer/checks/content/attachment-type.ts";
import { zip } from "../../mail/files.ts";
import { testCheck } from "../test-check.ts";
import { attached, kindOf } from "./given.ts";

const pdf = { name: "report.pdf", content: "%PDF-1.7", type: "application/pdf" };
const encrypted = (name: string) => zip({ name, encrypted: true });

testCheck(attachmentRefused, [
  { when: "passes a PDF", facts: attached(pdf) },
  {
    when: "finds a program",
    facts: attached({ name: "setup.exe" }),
    finds: ["blocked"],
    says: "The attachment setup.exe has a type that is blocked by Gmail and Microsoft (.exe).",
  },
  {
    when: "finds a program under another name",
    facts: attached({ name: "photo.jpg", content: `MZ${"\0".repeat(62)}` }),
    finds: ["blocked"],
  },
  {
    when: "finds a program in an archive",
    facts: attached({ name: "files.zip", content: zip({ name: "run.js" }) }),
    finds: ["inside-archive"],
    says: "The attachment files.zip contains run.js, which Gmail blocks.",
  },
  { when: "passes an archive of data files", facts: attached({ name: "a.zip", content: zip({ name: "a.csv" }) }) },
  {
    when: "finds an archive in an encrypted archive",
    facts: attached({ name: "files.zip", content: encrypted("more.zip") }),
    finds: ["inside-archive"],
    says: "The attachment files.zip contains more.zip, which Gmail blocks in an encrypted archive.",
  },
  {
    when: "finds a file that Microsoft rejects",
    facts: attached({ name: "settings.reg" }),
    finds: ["outlook"],
    says: "The attachment settings.reg has a type that Outlook blocks (.reg).",
  },
  {
    when: "finds a file that only Outlook blocks",
    facts: attached({ name: "shop.url" }),
    finds: ["outlook"],
    says: "The attachment shop.url has a type that Outlook blocks (.url).",
  },
  { when: "passes a document", facts: attached({ name: "a.docx", content: zip({ name: "word/document.xml" }) }) },
  { when: "does not apply without an attachment", facts: attached(), outcome: "not-applicable" },
]);

testCheck(attachmentDisguise, [
  { when: "passes a version number in a name", facts: attached({ ...pdf, name: "v1.2.pdf" }) },
  {
    when: "finds a second file extension",
    facts: attached({ name: "invoice.pdf.html", content: "<html>" }),
    finds: ["name"],
    says: "The attachment invoice.pdf.html has a double extension (real extension: .html).",
  },
  {
    when: "finds a name with a direction override",
    facts: attached({ name: "invoice\u202efdp.html", content: "<html>" }),
    finds: ["name"],
    says: "The attachment invoice\\u202efdp.html has a character in its name that reverses the text direction (real extension: .html).",
  },
  { when: "passes a Hebrew name with direction marks", facts: attached({ ...pdf, name: "\u200fחשבונית\u200f.pdf" }) },
  { when: "passes an emoji with joiners", facts: attached({ ...pdf, name: "👩‍🚀.pdf" }) },
  {
    when: "finds two names with different extensions",
    facts: attached({
      name: "a.pdf",
      type: 'application/octet-stream; name="a.doc"',
      headers: ['Content-Disposition: attachment; filename="a.pdf"'],
    }),
    finds: ["two-names"],
    says: "One attachment has two names, a.pdf and a.doc.",
  },
  {
    when: "passes one name in two encodings",
    facts: attached({
      name: "ä.pdf",
      type: 'application/pdf; name="=?utf-8?Q?=C3=A4.pdf?="',
      headers: ["Content-Disposition: attachment; filename*=utf-8''%C3%A4.pdf"],
    }),
  },
  { when: "leaves out files that providers reject anyway", facts: attached({ name: "invoice.pdf.exe" }) },
  { when: "does not apply without an attachment", facts: attached(), outcome: "not-applicable" },
]);

testCheck(attachmentType, [
  { when: "passes a type that matches the name", facts: attached({ ...pdf, type: "application/octet-stream" }) },
  {
    when: "finds an archive declared as an image",
    facts: attached({ name: "photo.jpg", content: zip({ name: "a.csv" }), type: "image/jpeg" }),
    finds: ["mismatch"],
    says: "The attachment photo.jpg (image/jpeg) is actually ZIP (application/zip).",
    fix: "Declare it as application/zip, and use a matching file name.",
  },
  {
    when: "finds a file that only Outlook can open",
    facts: attached({ name: "winmail.dat", type: "application/ms-tnef" }),
    finds: ["outlook-only"],
  },
  { when: "passes a calendar invitation", facts: attached({ name: "a.ics", type: "text/calendar" }) },
  { when: "does not apply without an attachment", facts: attached(), outcome: "not-applicable" },
]);

testCheck(attachmentRisky, [
  { when: "passes an invoice", facts: { ...attached(pdf), ...kindOf("transactional") } },
  {
    when: "finds an attached HTML page",
    facts: { ...attached({ name: "doc.html", content: "<html>" }), ...kindOf("personal") },
    finds: ["page"],
    says: "The attachment doc.html is an HTML file, which is common in phishing.",
  },
  {
    when: "passes an SVG image that the HTML shows",
    facts: {
      ...attached({
        name: "logo.svg",
        content: "<svg xmlns='http://www.w3.org/2000/svg'/>",
        type: "image/svg+xml",
        headers: ['Content-Disposition: inline; filename="logo.svg"', "Content-ID: <logo>"],
      }),
      ...kindOf("bulk"),
    },
  },
  {
    when: "finds macros",
    facts: { ...attached({ name: "sums.xlsm", content: zip({ name: "xl/vbaProject.bin" }) }), ...kindOf("personal") },
    finds: ["macros"],
  },
  {
    when: "finds an encrypted archive",
    facts: { ...attached({ name: "a.zip", content: encrypted("a.csv") }), ...kindOf("personal") },
    finds: ["encrypted"],
  },
  {
    when: "finds an attachment in bulk mail",
    facts: { ...attached(pdf), ...kindOf("bulk") },
    finds: ["in-bulk"],
    says: "This bulk message has an attachment, report.pdf.",
  },
  {
    when: "allows an attachment in a post to a mailing list",
    facts: { ...attached(pdf), kind: { ...kindOf("bulk").kind, mailingList: true } },
  },
  {
    when: "allows an invitation and a signature in bulk mail",
    facts: {
      ...attached({ name: "a.ics", type: "text/calendar" }, { name: "smime.p7s", type: "application/pkcs7-signature" }),
      ...kindOf("bulk"),
    },
  },
  {
    when: "reports one problem per file",
    facts: { ...attached({ name: "a.zip", content: encrypted("a.csv") }), ...kindOf("bulk") },
    finds: ["encrypted"],
  },
  {
    when: "does not apply without an attachment",
    facts: { ...attached(), ...kindOf("bulk") },
    outcome: "not-applicable",
  },
]);

test("only the first matching check judges an attachment with several problems", () => {
  expect(attachmentOrder).toEqual(["attachment-refused", "attachment-disguise", "attachment-type", "attachment-risky"]);
  const checkOf = (name: string, content: string | Uint8Array, type: string) =>
    attached({ name, content, type }).attachments.map((one) => judgmentOf(one)?.check);
  const page = "<!doctype html><html>";
  expect(checkOf("a.pdf.js", "%PDF-1.7", "image/png")).toEqual(["attachment-refused"]);
  expect(checkOf("a.pdf.html", zip({ name: "a" }), "image/png")).toEqual(["attachment-disguise"]);
  expect(checkOf("a.png", page, "image/png")).toEqual(["attachment-type"]);
  expect(checkOf("a.html", page, "text/html")).toEqual(["attachment-risky"]);
  expect(checkOf("a.pdf", "%PDF-1.7", "application/pdf")).toEqual([undefined]);
});
