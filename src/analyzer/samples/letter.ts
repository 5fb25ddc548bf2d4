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

export type AttachedFile = { readonly fileName: string; readonly type: string; readonly bytes: Uint8Array };

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

// The page layout of the gallery's messages: one column, a heading, paragraphs, and a footer with the sender.

const serif = "font-family:Georgia,'Times New Roman',serif";
const sans = "font-family:Arial,Helvetica,sans-serif";
const paragraph = `margin:0 0 16px;${serif};font-size:17px;line-height:27px;color:#26322f`;
const small = `margin:0 0 8px;${sans};font-size:14px;line-height:21px;color:#4a5652`;

export const site = "https://www.meadow.example";
const pictures = "https://img.meadow.example";
export const postal = "Meadow and Thread, 4 Weaver Lane, Kendal LA9 4QA, United Kingdom";

type Page = {
  readonly title: string;
  /** Shown after the subject in message lists. */
  readonly preview: string;
  /** Complete rows of the table. */
  readonly rows: readonly string[];
};

export function toPage({ title, preview, rows }: Page): string {
  return `<!DOCTYPE html>
<html lang="en-GB" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
</head>
<body style="margin:0;padding:0;background-color:#eef1ec">
<div style="display:none">${preview}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"
 border="0" style="background-color:#eef1ec">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0"
 border="0" style="width:100%;max-width:600px;background-color:#ffffff">
${rows.join("\n")}
</table>
</td></tr>
</table>
</body>
</html>
`;
}

export function toRow(...content: readonly string[]): string {
  return `<tr><td style="padding:24px 32px 8px">\n${content.join("\n")}\n</td></tr>`;
}

export function toFooter(...lines: readonly string[]): string {
  const shown = lines.map((words) => `<p style="${small}">${words}</p>`).join("\n");
  return `<tr><td style="padding:20px 32px;background-color:#dfe6df">\n${shown}\n</td></tr>`;
}

export function toHeading(words: string): string {
  return `<h1 style="margin:0 0 16px;${serif};font-size:28px;line-height:36px;color:#20463b">
${words}</h1>`;
}

export function toParagraph(words: string): string {
  return `<p style="${paragraph}">${words}</p>`;
}

export function toLink(url: string, words: string): string {
  return `<a href="${url}"
 style="color:#1d5c49">${words}</a>`;
}

export function toPicture(name: string, size: { readonly width: number; readonly height: number }, alt: string) {
  return `<img src="${pictures}/${name}" width="${size.width}" height="${size.height}"
 alt="${alt}" style="display:block;width:100%;height:auto;border:0">`;
}

// A prepared message: its sender, its content, and the one problem it has.

export type Prepared = {
  readonly id: string;
  readonly title: string;
  /** A sentence that says what is wrong with it. */
  readonly says: string;
  /** The first finding in its report; null if it is healthy. */
  readonly finding: string | null;
  /** The other findings in its report. */
  readonly others?: readonly string[];
  readonly host: SendingHost;
  readonly letter: Letter;
  /** The signing domain; null: not signed. */
  readonly signedBy: string | null;
  /** How a relay changed it after it was signed. */
  readonly changed?: (message: string) => string;
};

export type SendingHost = {
  /** The IP address that it is assumed to come from. */
  readonly address: string;
  readonly helo: string;
  /** The domain of the return path. */
  readonly domain: string;
};

/** The sender that recipients see, even if another host sent it. */
export const authorDomain = "meadow.example";
export const selector = "lab";
/** Prefix of labels that name a prepared message. */
export const labelPrefix = "lab-";
