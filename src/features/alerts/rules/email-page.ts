// The frame of the emails that Assay writes: text and HTML that say the same, without images. Everything that others wrote is
// escaped, and URLs in it are broken up.

import { escapeMarkup } from "../../../analyzer/visible-text.ts";
import type { ChatNotice, Quote } from "./chat-notice.ts";
import { toCut } from "./notice-text.ts";

export type WrittenEmail = { readonly subject: string; readonly text: string; readonly html: string };

/** Lists cut longer subjects. */
const subjectLength = 120;

export type EmailSection = {
  readonly title: string;
  readonly tone: ChatNotice["tone"];
  readonly says: readonly string[];
  readonly quotes: readonly Quote[];
  readonly link: { readonly url: string; readonly words: string };
  readonly when: string;
};

export type EmailPage = {
  readonly subject: string;
  readonly title: string;
  /** Paragraphs before the sections. */
  readonly intro: readonly string[];
  readonly sections: readonly EmailSection[];
  readonly action: { readonly url: string; readonly words: string } | null;
  readonly footer: readonly (string | { readonly url: string; readonly words: string })[];
};

/** Email clients make links of text. A stranger's would look like ours. Domains stay readable. */
export function withoutLinks(text: string): string {
  const plain = text.replaceAll("://", "[:]//");
  return plain.replace(/\bwww\./gi, "www[.]").replace(/\bmailto:/gi, "mailto[:]");
}

/** Names that a workspace chose. They need no domains, and some recipients haven't agreed to anything yet. */
export function withoutDomains(name: string): string {
  return withoutLinks(name)
    .replaceAll("@", "[@]")
    .replace(/(?<=[^\s.])\.(?=[^\s.])/g, "[.]");
}

/** An encoded word would be decoded by the reader's client. */
export function toSubject(text: string): string {
  return toCut(text.replaceAll("=?", "= ?"), subjectLength);
}

export function toEmail(page: EmailPage): WrittenEmail {
  return { subject: page.subject, text: toText(page), html: toHtml(page) };
}

function toText({ title, intro, sections, action, footer }: EmailPage): string {
  const isOne = sections.length === 1 && sections[0]?.title === title;
  const blocks = sections.map(({ title: heading, says, quotes, link, when }) =>
    [
      ...(isOne ? [] : [heading]),
      when,
      ...says,
      ...quotes.map(({ label, text }) => `${label}: ${text}`),
      `${link.words}: ${link.url}`,
    ].join("\n"),
  );
  const lines = footer.map((line) => (typeof line === "string" ? line : `${line.words}: ${line.url}`));
  return [
    title,
    ...intro,
    ...blocks,
    ...(action === null ? [] : [`${action.words}: ${action.url}`]),
    `-- \n${lines.join("\n")}`,
    "",
  ].join("\n\n");
}

// The colors are readable in light and in dark mode. Clients that change them do so for the whole message, because
// nothing is an image.

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const tones: Readonly<Record<ChatNotice["tone"], string>> = { worse: "#b3261e", better: "#1b6e3c", neutral: "#4a5866" };

const style = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){.page{background-color:#111317!important;color:#eceef1!important}
.card{background-color:#1c2026!important;border-right-color:#3a414c!important;border-bottom-color:#3a414c!important;border-left-color:#3a414c!important}
.ink{color:#eceef1!important}.faint{color:#b4bac5!important}.link{color:#9cc4ff!important}
.button{background-color:#9cc4ff!important;color:#111317!important}}`;

function toHtml({ title, intro, sections, action, footer }: EmailPage): string {
  const isOne = sections.length === 1 && sections[0]?.title === title;
  const tone = isOne ? tones[sections[0]?.tone ?? "neutral"] : "#2b3a4a";
  const small = footer.map((line) =>
    typeof line === "string" ? paragraph(line, "faint", 14) : `<p style="margin:0 0 8px">${anchor(line)}</p>`,
  );
  return `<!DOCTYPE html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeMarkup(title)}</title>
<style>${style}</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f4f5f7;color:#1d2730">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f4f5f7">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px;background-color:#ffffff;border:1px solid #d9dde3;border-top:4px solid ${tone}">
<tr><td class="ink" align="left" style="padding:24px;${font};font-size:16px;line-height:24px;color:#1d2730">
<h1 class="ink" style="margin:0 0 12px;font-size:22px;line-height:30px;color:#1d2730">${escapeMarkup(title)}</h1>
${[...intro.map((line) => paragraph(line, "ink", 16)), ...sections.map((section) => toSectionHtml(section, isOne)), ...(action === null ? [] : [button(action)])].join("\n")}
</td></tr>
<tr><td class="faint" align="left" style="padding:0 24px 20px;${font};font-size:14px;line-height:20px;color:#4a5866">
${small.join("\n")}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function toSectionHtml({ title, tone, says, quotes, link, when }: EmailSection, isOne: boolean): string {
  const rows = quotes.map(
    ({ label, text }) =>
      `<p class="ink" style="margin:0 0 8px;color:#1d2730"><span class="faint" style="font-size:14px;color:#4a5866">${escapeMarkup(label)}</span><br><span style="font-family:Consolas,Menlo,monospace;font-size:14px;word-break:break-word">${escapeMarkup(text)}</span></p>`,
  );
  const heading = isOne
    ? []
    : [
        `<h2 class="ink" style="margin:20px 0 4px;padding:0 0 0 10px;border-left:4px solid ${tones[tone]};font-size:17px;line-height:24px;color:#1d2730">${escapeMarkup(title)}</h2>`,
      ];
  return [
    ...heading,
    paragraph(when, "faint", 14),
    ...says.map((line) => paragraph(line, "ink", 16)),
    ...rows,
    isOne ? button(link) : `<p style="margin:0 0 8px">${anchor(link)}</p>`,
  ].join("\n");
}

function paragraph(text: string, ink: "ink" | "faint", size: number): string {
  const color = ink === "ink" ? "#1d2730" : "#4a5866";
  return `<p class="${ink}" style="margin:0 0 12px;font-size:${size}px;color:${color}">${escapeMarkup(text)}</p>`;
}

function button({ url, words }: { readonly url: string; readonly words: string }): string {
  return `<p style="margin:16px 0"><a class="button" href="${escapeMarkup(url)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background-color:#174a94;color:#ffffff;font-weight:bold;text-decoration:none">${escapeMarkup(words)}</a></p>`;
}

function anchor({ url, words }: { readonly url: string; readonly words: string }): string {
  return `<a class="link" href="${escapeMarkup(url)}" style="color:#174a94">${escapeMarkup(words)}</a>`;
}
