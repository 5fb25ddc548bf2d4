// Prints what a report says about email templates that are sent well: as a newsletter, signed, with an unsubscribe
// link, a postal address and a text part. Takes a folder of .html files; .eml files provide their HTML part. Merge tags
// are filled in, and links without a target lead to the sender's site. Prints everything above minor, then the number
// of templates with each minor finding. With --few-headers there is no List-Id and no Feedback-ID, as from small
// senders. With --tracked links and opens are tracked as email services do, and a hidden preheader comes first.
// npm run script -- scripts/measure-templates.ts FOLDER [--few-headers] [--tracked] [--says FINDING-ID]

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Zone } from "../src/analyzer/dns/zone.ts";
import { parseMessage } from "../src/analyzer/mail/mime/parse.ts";
import type { JudgedFinding } from "../src/analyzer/reports/judgment.ts";
import type { Report } from "../src/analyzer/reports/report.ts";
import { all, type Letter, withHeader, withoutHeader, withZone } from "../test/fixtures/messages/letter.ts";
import { newsletter } from "../test/fixtures/messages/newsletter.ts";
import { analyze } from "../test/fixtures/messages/run.ts";
import { zone as ownZone } from "../test/fixtures/messages/sender.ts";

const [folder, ...options] = process.argv.slice(2);
const base = options.includes("--few-headers")
  ? withoutHeader("List-Id", "Feedback-ID", "Reply-To")(newsletter)
  : newsletter;
const isTracked = options.includes("--tracked");
const wanted = options[options.indexOf("--says") + 1];
if (folder === undefined) throw new Error("Missing argument: the folder with the templates.");

const site = "https://www.a.example";
const values: readonly (readonly [RegExp, string])[] = [
  [/unsub/i, `${site}/u/9f27c4d1b6`],
  [/url|link|href|uri/i, `${site}/books`],
  [/img|image|logo|src|avatar/i, "https://img.a.example/letters/logo.png"],
  [/mail/i, "ellen.marsh@seed.example"],
  [/year/i, "2026"],
  [/date|time|day/i, "20 November 2026"],
  [/price|total|amount|tax|shipping|sum/i, "24.00"],
  [/code|token|otp|number|id$|count|qty|quantity/i, "4839"],
  [/company|shop|product|app|brand|site|realm|project|org/i, "Harrow Lane Books"],
  [/name|user|recipient|customer/i, "Ellen"],
];

function wordFor(mark: string): string {
  return values.find(([sign]) => sign.test(mark))?.[1] ?? "Harrow";
}

/** As a sender fills in a template before sending. */
function fillIn(html: string): string {
  return html
    .replace(/\{%[^%]{0,500}%\}|\{\{[#/!>^][^}]{0,500}\}\}|<%[^=-][^%]{0,500}%>/g, "")
    .replace(
      /\{\{\{?\s*([^}]{0,500}?)\s*\}?\}\}|<%[=-]\s*([^%]{0,500}?)%>|\*\|([\w:]{1,60})\|\*|%%(\w{1,60})%%|\$\{([^}]{0,500})\}|\[\[(\w{1,60})\]\]/g,
      (_, ...groups) => wordFor(String(groups.slice(0, 6).find((one) => typeof one === "string") ?? "")),
    )
    .replace(/<link\b[^>]{0,300}\bhref\s*=\s*["'](?!https?:)[^>]{0,300}>/gi, "")
    .replace(/\bhref\s*=\s*(["'])(?:#[\w-]*|\s*|javascript:[^"']*)\1/gi, `href="${site}/letters"`)
    .replace(/\bsrc\s*=\s*(["'])(?!https?:|data:|cid:)[^"']*\1/gi, 'src="https://img.a.example/letters/one.png"')
    .replace(/\bhref\s*=\s*(["'])(?!https?:|mailto:|tel:|sms:)[^"']*\1/gi, `href="${site}/letters"`)
    .replace(
      /https?:\/\/(?:www\.)?(?:[\w-]+\.)*(?:example\.(?:com|org|net)|localhost|127\.0\.0\.1|foo\.bar|yoursite\.com|domain\.com)(?::\d+)?/gi,
      site,
    );
}

const footer = `<table role="presentation" width="100%"><tr><td style="padding:16px;font-family:Arial,sans-serif;font-size:14px;line-height:22px;color:#4d4842;background-color:#ffffff">
You receive this letter because you subscribed at Harrow Lane Books. <a href="${site}/u/9f27c4d1b6" style="color:#1f5f4f">Unsubscribe</a><br>
Harrow Lane Books, 12 Harrow Lane, Bristol BS1 4DJ, United Kingdom</td></tr></table>`;

function withFooter(html: string): string {
  const at = html.toLowerCase().lastIndexOf("</body");
  return at < 0 ? html + footer : html.slice(0, at) + footer + html.slice(at);
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", apos: "'" };

function toText(html: string): string {
  return html
    .replace(/<!--[\s\S]*?-->|<(style|script|head|title)\b[\s\S]*?<\/\1>/gi, " ")
    .replace(/\s+/g, " ")
    .replace(/<a\b[^>]*?href\s*=\s*["']?(https?:[^"'\s>]+)[^>]*>(.*?)<\/a>/gi, "$2 ($1) ")
    .replace(/<\/(?:p|div|tr|h\d|li|table)>|<br\b[^>]*>/gi, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&#(x?)([\da-f]{1,6});/gi, (_, hex, code) => String.fromCodePoint(Number.parseInt(code, hex ? 16 : 10)))
    .replace(/&(\w{2,6});/g, (whole, name) => entities[name] ?? whole)
    .replace(/[ \t]*\n\s*/g, "\n")
    .trim();
}

/** The sites that the template links to exist. */
function zoneOf(html: string): Zone {
  const hosts = [...html.matchAll(/https?:\/\/([\w-]+(?:\.[\w-]+)+)/gi)].map(([, host = ""]) => host.toLowerCase());
  const names = hosts.flatMap((host) =>
    host
      .split(".")
      .slice(0, -1)
      .map((_, at, labels) =>
        host
          .split(".")
          .slice(at, labels.length + 1)
          .join("."),
      ),
  );
  return Object.fromEntries(
    [...new Set(names)].filter((name) => !(name in ownZone)).map((name) => [name, { A: ["198.51.100.90"] }]),
  );
}

const preheader = `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">What is new this month at Harrow Lane Books.${"&#847;&zwnj;&nbsp;".repeat(60)}</div>`;
const pixel = '<img src="https://click.a.example/o/9f27c4d1b6.gif" width="1" height="1" alt="" border="0">';

function withTracking(html: string): string {
  let count = 0;
  return html
    .replace(/\bhref\s*=\s*(["'])https?:\/\/[^"']*\1/gi, (link) =>
      link.includes("/u/") || /\.css|fonts\./.test(link)
        ? link
        : `href="https://click.a.example/ls/click?upn=u001.${(++count * 7919).toString(36).padStart(24, "k3QzVb")}"`,
    )
    .replace(/<body\b[^>]*>/i, (body) => body + preheader)
    .replace(/<\/body/i, `${pixel}</body`);
}

function toLetter(source: string): Letter {
  const filled = fillIn(source);
  const whole = withFooter(filled);
  const html = isTracked ? withTracking(whole) : whole;
  const title = /<title[^>]*>([^<]{4,200})/i.exec(filled)?.[1]?.replace(/\s+/g, " ").trim();
  const text = toText(whole);
  const subject =
    title ||
    text
      .split("\n")
      .find((line) => line.length > 12 && !line.includes("http"))
      ?.slice(0, 60) ||
    "News";
  const encoded = /^[ -~]*$/.test(subject)
    ? subject
    : `=?utf-8?B?${Buffer.from(subject.slice(0, 12)).toString("base64")}?=`;
  return { ...all(withHeader("Subject", encoded), withZone(zoneOf(html + whole)))(base), html, text };
}

function readTemplate(path: string): string | null {
  const bytes = readFileSync(path);
  if (path.endsWith(".html")) return bytes.toString("utf8");
  return path.endsWith(".eml") ? (parseMessage(bytes).html?.text ?? null) : null;
}

const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
const reports: { readonly name: string; readonly report: Report }[] = [];
for (const name of names) {
  if (!/\.(?:html|eml)$/.test(name)) continue;
  const source = readTemplate(join(folder, name));
  if (source !== null) reports.push({ name, report: await analyze(toLetter(source)) });
}

const isOf =
  (...severities: readonly string[]) =>
  ({ severity }: JudgedFinding) =>
    severities.includes(severity);
const severe = reports.filter(({ report }) => report.judgment.findings.some(isOf("critical", "major")));
for (const { name, report } of severe) {
  console.log(`${name}: ${report.judgment.score.composite}`);
  for (const { id, severity, occurrences } of report.judgment.findings.filter(isOf("critical", "major")))
    for (const { says, subject } of occurrences.slice(0, 3))
      console.log(`    ${severity} ${id}: ${says} ${subject ?? ""}`);
}
console.log(`\n${reports.length} templates, ${severe.length} with an issue above minor`);

const kinds = Map.groupBy(reports, ({ report }) => report.judgment.kind?.kind ?? "none");
for (const [kind, those] of kinds)
  console.log(`${kind}: ${those.length}${kind === "bulk" ? "" : ` (${those.map(({ name }) => name).join(", ")})`}`);

const scores = reports.map(({ report }) => report.judgment.score.composite ?? 0).sort((a, b) => a - b);
console.log(
  `scores: lowest ${scores[0]}, median ${scores[scores.length >> 1]}, ${scores.filter((one) => one >= 95).length} of 95 or more`,
);
for (const { name, report } of reports)
  for (const { provider, folder: place, odds } of report.judgment.placement?.predictions ?? [])
    if (place === "spam" || place === "rejected")
      console.log(`predicted ${place}: ${name} at ${provider} ${JSON.stringify(odds)}`);

const minors = Map.groupBy(
  reports.flatMap(({ name, report }) =>
    report.judgment.findings.filter(isOf("minor")).map((finding) => ({ name, finding })),
  ),
  ({ finding }) => finding.id,
);
console.log("\nMinor issues, by how many templates have them:");
for (const [id, those] of [...minors].sort(([, a], [, b]) => b.length - a.length))
  console.log(`${String(those.length).padStart(4)} ${id}: ${those[0]?.finding.says}`);

if (options.includes("--says"))
  for (const { name, report } of reports)
    for (const finding of report.judgment.findings.filter(({ id }) => id === wanted))
      for (const { says, subject } of finding.occurrences) console.log(`${name}: ${says} ${subject ?? ""}`);
