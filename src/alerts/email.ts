// An alert as an email: text and HTML that say the same, without images. Everything that strangers wrote is escaped and
// bounded, and URLs in it are broken up.

import { escapeMarkup } from "../visible-text.ts";
import type { KeptEvent } from "./alert-event.ts";
import { type ChatNotice, type Quote, toChatNotice } from "./chat-notice.ts";
import { toCut, toName } from "./notice-text.ts";

export type AlertEmail = { readonly subject: string; readonly text: string; readonly html: string };

type EmailContent = {
  /** Oldest first. */
  readonly events: readonly KeptEvent[];
  /** How many more events there were. */
  readonly more: number;
  readonly isDigest: boolean;
  /** Our own sentence, in place of the events. */
  readonly notice?: string;
};

type EmailFrame = {
  /** URL of the web app, without a trailing slash. */
  readonly baseUrl: string;
  readonly alert: { readonly id: string; readonly label: string };
  readonly workspace: string;
  readonly unsubscribeUrl: string;
};

/** Further events are counted. */
export const shownInEmail = 30;

/** Lists cut longer subjects. */
const subjectLength = 120;

type Section = {
  readonly title: string;
  readonly tone: ChatNotice["tone"];
  readonly says: readonly string[];
  readonly quotes: readonly Quote[];
  readonly link: { readonly url: string; readonly words: string };
  readonly when: string;
};

type Page = {
  readonly subject: string;
  readonly title: string;
  /** Before the sections. */
  readonly intro: string | null;
  readonly sections: readonly Section[];
  readonly action: { readonly url: string; readonly words: string } | null;
  readonly footer: readonly (string | { readonly url: string; readonly words: string })[];
};

export function renderAlertEmail(content: EmailContent, frame: EmailFrame): AlertEmail {
  return toEmail({ ...toContent(content, frame), footer: toFooter(frame) });
}

export function renderPingEmail(frame: EmailFrame): AlertEmail {
  const notice =
    "Alerts from Assay will arrive at this address. This is only a test, so nothing has happened.";
  const subject = `Test alert: ${withoutDomains(toName(frame.alert.label))}`;
  return {
    ...renderAlertEmail({ events: [], more: 0, isDigest: false, notice }, frame),
    subject: toSubject(subject),
  };
}

type Confirmation = {
  readonly workspace: string;
  readonly address: string;
  readonly confirmUrl: string;
  /** Our server's web address. */
  readonly baseUrl: string;
  readonly hours: number;
};

/** Asks the recipient. It has no unsubscribe link, because an address that does not answer gets nothing. */
export function renderConfirmation({
  workspace,
  address,
  confirmUrl,
  baseUrl,
  hours,
}: Confirmation): AlertEmail {
  // The recipient does not know yet who named it.
  const name = withoutDomains(toName(workspace));
  return toEmail({
    subject: toSubject(`Confirm email alerts from “${name}”`),
    title: "Confirm your email address",
    intro: `Someone in the Assay workspace “${name}” wants to send alerts about email delivery to ${address}. You get them only if you confirm.`,
    sections: [],
    action: { url: confirmUrl, words: "Review and confirm" },
    footer: [
      `The link works once, for ${hours} hours. If you don’t want these alerts, ignore this message, and you won’t get any.`,
      `Sent by the Assay server at ${baseUrl}.`,
    ],
  });
}

function toContent(
  { events, more, isDigest, notice }: EmailContent,
  { baseUrl }: EmailFrame,
): Omit<Page, "footer"> {
  const alerts = { url: `${baseUrl}/alerts`, words: "Open your alerts" };
  if (notice !== undefined)
    return { subject: "Assay alerts", title: "Assay alerts", intro: notice, sections: [], action: alerts };
  const notices = events.slice(0, shownInEmail).map((kept) => ({ kept, words: toChatNotice(kept) }));
  const left = more + events.length - notices.length;
  const count = notices.length + left;
  const [first] = notices;
  const sections = notices.map(({ kept, words }) => toSection(kept, words, baseUrl, count === 1));
  if (count === 1 && first && !isDigest) {
    const { title } = first.words;
    return { subject: toSubject(toHeadline(first.kept, title)), title, intro: null, sections, action: null };
  }
  const what = `${count} ${count === 1 ? "alert" : "alerts"}`;
  const rest = left > 0 ? `The first ${notices.length} of ${count}.` : null;
  const lead = first && count > 1 ? `${what}: ${first.words.title}, and ${count - 1} more` : what;
  return {
    subject: toSubject(isDigest ? `Daily digest: ${what}` : lead),
    title: isDigest ? `Daily digest: ${what}` : what,
    intro: rest,
    sections,
    action: left > 0 ? alerts : null,
  };
}

/** Two low scores look alike in a list without the tested subject. */
function toHeadline({ event }: KeptEvent, title: string): string {
  if (event.type !== "test.low_score" || event.data.test.subject === null) return title;
  return `${title}: ${withoutLinks(toName(event.data.test.subject))}`;
}

function toSection(
  { event, createdAt }: KeptEvent,
  words: ChatNotice,
  baseUrl: string,
  isWhole: boolean,
): Section {
  const { title, tone, says, quotes, advice, path } = words;
  const when = `${new Date(createdAt).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  // A record must be shown exactly, so that it can be restored. It is from the workspace's own domain.
  const isOwn = event.type === "domain.drift";
  const shown = quotes.map(({ label, text }) => ({ label, text: isOwn ? text : withoutLinks(text) }));
  const link = { url: `${baseUrl}${path}`, words: linkWords[event.type] };
  const all = [...(isOwn ? says : says.map(withoutLinks)), ...(advice === "" ? [] : [advice])];
  return {
    ...{ title, tone, when, link },
    says: all.slice(0, isWhole ? undefined : 3),
    quotes: isWhole ? shown : shown.slice(0, 2),
  };
}

const linkWords: Readonly<Record<KeptEvent["event"]["type"], string>> = {
  "domain.drift": "Open the domain’s report",
  "stream.moved": "Open the stream",
  "test.low_score": "Open the test’s report",
  "test.analyzed": "Open the test’s report",
  "feedback.problem": "Open the domain’s feedback",
  "email.bounce_complaint": "Open bounces and complaints",
  "monitor.changed": "Open the monitor",
  "token.expiring": "Open the API tokens",
  "server.backup": "Open the server check",
};

/** Email clients make links of text. A stranger's would look like ours. Domains stay readable. */
function withoutLinks(text: string): string {
  const plain = text.replaceAll("://", "[:]//");
  return plain.replace(/\bwww\./gi, "www[.]").replace(/\bmailto:/gi, "mailto[:]");
}

/** Names that a workspace chose. They need no domains, and some recipients haven't agreed to anything yet. */
function withoutDomains(name: string): string {
  return withoutLinks(name)
    .replaceAll("@", "[@]")
    .replace(/(?<=[^\s.])\.(?=[^\s.])/g, "[.]");
}

function toFooter({ baseUrl, alert, workspace, unsubscribeUrl }: EmailFrame): Page["footer"] {
  return [
    `You get this email because your address confirmed alerts from the Assay workspace “${withoutDomains(toName(workspace))}” (alert “${withoutDomains(toName(alert.label))}”).`,
    { url: `${baseUrl}/alerts/${encodeURIComponent(alert.id)}`, words: "Change this alert" },
    { url: unsubscribeUrl, words: "Unsubscribe from all alerts of this workspace" },
  ];
}

/** An encoded word would be decoded by the reader's client. */
function toSubject(text: string): string {
  return toCut(text.replaceAll("=?", "= ?"), subjectLength);
}

function toEmail(page: Page): AlertEmail {
  return { subject: page.subject, text: toText(page), html: toHtml(page) };
}

function toText({ title, intro, sections, action, footer }: Page): string {
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
    ...(intro === null ? [] : [intro]),
    ...blocks,
    ...(action === null ? [] : [`${action.words}: ${action.url}`]),
    `-- \n${lines.join("\n")}`,
    "",
  ].join("\n\n");
}

// The colors are readable in light and in dark mode. Clients that change them do so for the whole message, because
// nothing is an image.

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const tones: Readonly<Record<ChatNotice["tone"], string>> = {
  worse: "#b3261e",
  better: "#1b6e3c",
  neutral: "#4a5866",
};

const style = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){.page{background-color:#111317!important;color:#eceef1!important}
.card{background-color:#1c2026!important;border-right-color:#3a414c!important;border-bottom-color:#3a414c!important;border-left-color:#3a414c!important}
.ink{color:#eceef1!important}.faint{color:#b4bac5!important}.link{color:#9cc4ff!important}
.button{background-color:#9cc4ff!important;color:#111317!important}}`;

function toHtml({ title, intro, sections, action, footer }: Page): string {
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
${[...(intro === null ? [] : [paragraph(intro, "ink", 16)]), ...sections.map((section) => toSectionHtml(section, isOne)), ...(action === null ? [] : [button(action)])].join("\n")}
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

function toSectionHtml({ title, tone, says, quotes, link, when }: Section, isOne: boolean): string {
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
