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

export function toPicture(
  name: string,
  size: { readonly width: number; readonly height: number },
  alt: string,
) {
  return `<img src="${pictures}/${name}" width="${size.width}" height="${size.height}"
 alt="${alt}" style="display:block;width:100%;height:auto;border:0">`;
}
