import { expect, test } from "vitest";
import { readHeaderSection } from "../../../../src/analyzer/mail/headers/fields.ts";
import { readMailLabel } from "../../../../src/features/tests/rules/mail-labels.ts";

const byMicrosoft =
  "Received: from a.example by X.EURPRD01.PROD.OUTLOOK.COM with HTTPS; Sat, 21 Nov 2026 05:00:00 +0000";

const labelOf = (headers: string, ...folders: string[]) =>
  readMailLabel(readHeaderSection(Buffer.from(`${headers}\r\n${byMicrosoft}\r\n\r\n`)), folders);

test.each([
  ["X-Gmail-Labels: Spam,Unread", "spam"],
  ["X-Gmail-Labels: =?UTF-8?Q?=E8=BF=B7=E6=83=91=E3=83=A1=E3=83=BC=E3=83=AB?=", "spam"],
  ["X-Gmail-Labels: =?UTF-8?Q?Ge=C3=B6ffnet,Skr=C3=A4ppost?=", "spam"],
  ['X-Gmail-Labels: Inbox,"Important"', "wanted"],
  ["X-Gmail-Labels: Archived", "wanted"],
  ["X-Gmail-Labels: Trash,Spam", "spam"],
  ["X-Gmail-Labels: Papierkorb,Wichtig", "beside"],
  ["X-Gmail-Labels: Sent", "beside"],
  ["X-MS-Exchange-Organization-SCL: 9", "spam"],
  ["X-MS-Exchange-Organization-SCL: -1", "wanted"],
  ["X-MS-Exchange-Organization-SCL: 3", undefined],
  ["X-MS-Exchange-Organization-SCL:", undefined],
  ["X-MS-Exchange-Organization-SCL: Infinity x", undefined],
  ["X-Forefront-Antispam-Report: CIP:192.0.2.1;CTRY:;LANG:en;\r\n SCL:5;SRV:;SFV:SPM", "spam"],
  ["X-Forefront-Antispam-Report: CIP:192.0.2.1;SCL:1;", "wanted"],
  ["X-Forefront-Antispam-Report: CIP:192.0.2.1", undefined],
  ["Subject: SCL:9", undefined],
])("the header %j is read as %s", (header, says) => {
  expect(labelOf(header)).toEqual({ says, isDisputed: false });
});

test.each([
  [["Mail", ".Junk E-mail", "cur"], "spam"],
  [["mail", ".INBOX.Courrier indésirable", "new"], "spam"],
  [["Takeout", "Mail", "Spam.mbox"], "spam"],
  [["Junk", "Inbox"], "wanted"],
  [["ham"], "wanted"],
  [["Gelöschte Elemente"], "beside"],
  [["All mail Including Spam and Trash.mbox"], undefined],
  [["constructor", "__proto__"], undefined],
])("the folder %j is read as %s", (folders, says) => {
  expect(labelOf("Subject: x", ...folders)).toEqual({ says, isDisputed: false });
});

test("a folder counts more than the header that it disagrees with", () => {
  expect(labelOf("X-MS-Exchange-Organization-SCL: 1", "Junk")).toEqual({ says: "spam", isDisputed: true });
  expect(labelOf("X-MS-Exchange-Organization-SCL: 6", "Inbox")).toEqual({ says: "wanted", isDisputed: true });
});

test("a label that the sender may have written is none", () => {
  const label = (lines: readonly string[], servers: readonly string[] = []) =>
    readMailLabel(readHeaderSection(Buffer.from(`${lines.join("\r\n")}\r\n\r\n`)), [], servers).says;
  const elsewhere = "Received: from a.example by mx.team.example with ESMTP; Sat, 21 Nov 2026 05:00:00 +0000";
  expect(label([elsewhere, "X-Gmail-Labels: Inbox"])).toBeUndefined();
  expect(label([elsewhere, byMicrosoft, "X-MS-Exchange-Organization-SCL: -1"])).toBeUndefined();
  expect(label(["X-Forefront-Antispam-Report: CIP:192.0.2.1;SCL:1;"])).toBeUndefined();
  expect(label([elsewhere, "X-MS-Exchange-Organization-SCL: -1"], ["team.example"])).toBe("wanted");
});
