// A message of the sample gallery, and the bytes that are sent. Written by hand and not by a library, because some
// messages are broken on purpose.

export type Letter = {
  readonly from: string;
  readonly subject: string;
  /** Fields in addition to those that every message has. */
  readonly fields: readonly Field[];
  readonly text: string;
  readonly html: string;
  readonly files: readonly AttachedFile[];
};

type Field = readonly [name: string, value: string];

export type AttachedFile = {
  readonly fileName: string;
  readonly type: string;
  readonly bytes: Uint8Array;
};

/** Differs each time a message is sent. */
type Occasion = {
  readonly to: string;
  readonly sentAt: number;
  /** Letters and digits that no other message has. */
  readonly mark: string;
};

const alternative = "=_alternative_of_the_letter";
const mixed = "=_letter_with_its_files";

export function toBytes(letter: Letter, { to, sentAt, mark }: Occasion, domain: string): Buffer {
  const { from, subject, fields, files } = letter;
  const date = new Date(sentAt).toUTCString().replace("GMT", "+0000");
  const headers: readonly Field[] = [
    ["From", from],
    ["To", `Robin Vale <${to}>`],
    ["Subject", subject],
    ["Date", date],
    ["Message-ID", `<${mark}@${domain}>`],
    ...fields,
    ["MIME-Version", "1.0"],
  ];
  const head = headers.map(([name, value]) => `${name}: ${value}\n`).join("");
  const body = files.length === 0 ? toAlternative(letter) : toMixed(letter);
  return Buffer.from((head + body).replaceAll("\n", "\r\n"));
}

function toAlternative({ text, html }: Letter): string {
  return toMultipart("alternative", alternative, [toTextPart("plain", text), toTextPart("html", html)]);
}

function toMixed(letter: Letter): string {
  return toMultipart("mixed", mixed, [toAlternative(letter), ...letter.files.map(toFilePart)]);
}

/** Each part with its own headers. */
function toMultipart(kind: string, boundary: string, parts: readonly string[]): string {
  const inside = parts.map((part) => `--${boundary}\n${part}\n`).join("");
  return `Content-Type: multipart/${kind};\n boundary="${boundary}"\n\n${inside}--${boundary}--\n`;
}

/** All of it is ASCII with short lines, so it needs no encoding and its source is readable. */
function toTextPart(kind: "plain" | "html", content: string): string {
  return `Content-Type: text/${kind}; charset=utf-8\nContent-Transfer-Encoding: 7bit\n\n${content}`;
}

function toFilePart({ fileName, type, bytes }: AttachedFile): string {
  const lines =
    Buffer.from(bytes)
      .toString("base64")
      .match(/.{1,76}/g) ?? [];
  return [
    `Content-Type: ${type}; name="${fileName}"`,
    `Content-Disposition: attachment; filename="${fileName}"`,
    "Content-Transfer-Encoding: base64",
    "",
    ...lines,
  ].join("\n");
}
