// The messages that are mutated: ordinary mail, system notices, and files of the kinds that are parsed.

import { gzipSync } from "node:zlib";
import { noticeForms } from "../../test/analyzer/mail/bounces/notice-forms.ts";
import { compoundFile, rar4, rar5, tar, zip } from "../../test/analyzer/mail/files.ts";
import { base64, letter, multipart, ordinaryHead, part } from "../../test/analyzer/mail/letter.ts";
import { ordinaryMessages } from "../../test/analyzer/mail/ordinary-messages.ts";

export function seedLetters(): Buffer[] {
  const mails = [...noticeForms, ...ordinaryMessages(40)].map(({ message }) => Buffer.from(message));
  return [...mails, ...files, ...files.map(withFile)];
}

const files = [
  zip({ name: "a.txt", content: "hello" }, { name: "b/c.js", encrypted: true }),
  zip({ name: "mimetype", content: "application/vnd.oasis.opendocument.text" }),
  compoundFile("WordDocument", "Macros", "1Table"),
  tar("a.txt", "b.exe"),
  gzipSync(tar("a.txt")),
  rar4("a.txt"),
  rar5("b.txt"),
  Buffer.from("%PDF-1.7 /Encrypt 1 0 R"),
];

function withFile(file: Buffer): Buffer {
  const html = part(
    ["Content-Type: text/html; charset=utf-8", "Content-Transfer-Encoding: quoted-printable"],
    "<p>=C3=BC=",
  );
  const attached = part(
    [
      'Content-Type: application/octet-stream; name="=?utf-8?Q?=E2=82=AC.zip?="',
      "Content-Disposition: attachment; filename*=utf-8''%e2%82%ac.zip",
      "Content-Transfer-Encoding: base64",
    ],
    base64(file),
  );
  const bodies = multipart("alternative", "a", part(["Content-Type: text/plain"], "hi"), html);
  return letter(...ordinaryHead, multipart("mixed", "m", bodies, attached));
}
