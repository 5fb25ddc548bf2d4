import { lineEndings } from "../../../../src/analyzer/checks/format/line-endings.ts";
import { lineLength } from "../../../../src/analyzer/checks/format/line-length.ts";
import { messageSize } from "../../../../src/analyzer/checks/format/message-size.ts";
import { letter, ordinaryHead } from "../../mail/letter.ts";
import { testCheck } from "../test-check.ts";
import { aligned, dkim, fails, foreign, given, instead, kind, passes, session, upload, withBody } from "./given.ts";

const longHtml = `<p>${"word ".repeat(300)}</p>`;
const html = withBody("Content-Type: text/html", "", longHtml);

testCheck(lineLength, [
  { when: "passes short lines", facts: instead(""), says: "The longest line is 37 bytes long." },
  { when: "passes a line of 998 bytes", facts: withBody("", "a".repeat(998), "") },
  {
    when: "finds HTML in one line",
    facts: html,
    finds: ["over-998"],
    says: "Line 9 is 1507 bytes long. The limit is 998.",
    fix: "Send part 1 as quoted-printable or base64.",
  },
  {
    when: "passes HTML in one line of quoted-printable",
    facts: withBody(
      "Content-Type: text/html",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      longHtml.replace(/.{70}/g, "$&=\r\n"),
    ),
  },
  {
    when: "finds a header in one line",
    facts: instead("", `X-Trace: ${"a".repeat(1_000)}`),
    finds: ["over-998"],
    fix: "Shorten the X-Trace header, or fold it at its spaces.",
  },
  {
    when: "finds HTML in one line with a valid signature",
    facts: { ...html, dkim: dkim(passes) },
    finds: ["over-998"],
  },
  {
    when: "finds HTML in one line with a broken signature",
    facts: { ...html, dkim: dkim(fails("body-changed")) },
    finds: ["over-998"],
    ownedBy: "dkim-signature.body-changed",
  },
]);

const withNul = [...ordinaryHead, "", "a\0b\0", ""];
const bareLf = { ...given(...ordinaryHead, "", "a\nb\nc", ""), session: session() };

testCheck(lineEndings, [
  { when: "passes CR LF", facts: { ...instead(""), session: session() } },
  {
    when: "finds a body with bare LF",
    facts: bareLf,
    finds: ["bare"],
    says: "Some lines end with a bare LF instead of CRLF (2 in total, first at line 8).",
  },
  {
    when: "finds a bare CR and a bare LF",
    facts: { ...given(...ordinaryHead, "", "a\rb", "c\nd", ""), session: session() },
    finds: ["bare"],
    says: "Some lines end with a bare LF or CR instead of CRLF (2 in total, first at line 8).",
  },
  {
    when: "finds bare LF as the cause of a broken signature",
    facts: { ...bareLf, dkim: dkim(fails("header-changed")) },
    finds: ["bare"],
    ownedBy: "dkim-signature.header-changed",
  },
  {
    when: "finds bare LF as the cause of a signature broken after a forwarder verified it",
    facts: {
      ...bareLf,
      dkim: dkim(fails("body-changed")),
      kind: kind({ is: true, verified: true, first: { spf: "pass", dkim: "pass", dmarc: "pass" } }),
    },
    finds: ["bare"],
    ownedBy: "dkim-signature.changed-by-list",
  },
  {
    when: "finds bare LF next to another valid signature",
    facts: { ...bareLf, dkim: dkim(fails("body-changed"), passes) },
    finds: ["bare"],
  },
  {
    when: "finds bare LF if only another domain's signature is valid",
    facts: { ...bareLf, dkim: dkim(fails("body-changed"), { result: "pass", why: null, aligned: foreign }) },
    finds: ["bare"],
    ownedBy: "dkim-signature.body-changed",
  },
  {
    when: "finds bare LF if a signature fails for another reason",
    facts: { ...bareLf, dkim: dkim({ result: "fail", why: "key-missing", aligned }) },
    finds: ["bare"],
  },
  {
    when: "finds NUL",
    facts: { ...given(...withNul), session: session() },
    finds: ["nul"],
    says: `The message contains NUL bytes (2 in total, first at byte ${letter(...withNul).indexOf(0)}).`,
  },
  { when: "does not apply to an upload", facts: { ...bareLf, session: upload }, outcome: "not-applicable" },
]);

const sized = (megabytes: number) => ({ raw: { ...instead("").raw, sizeBytes: megabytes * 2 ** 20 } });

testCheck(messageSize, [
  { when: "passes 3 MB", facts: sized(3), says: "The message is 3.0 MB." },
  { when: "passes 5 MB", facts: sized(5) },
  {
    when: "finds 12 MB",
    facts: sized(12),
    finds: ["large"],
    says: "The message is 12.0 MB. Many companies reject more than 10 MB.",
  },
  {
    when: "finds 24 MB",
    facts: sized(24),
    finds: ["too-large"],
    says: "The message is 24.0 MB. iCloud accepts 20 MB, Outlook.com and Yahoo 25 MB.",
  },
  { when: "finds 20 MB", facts: sized(20), finds: ["large"] },
]);
