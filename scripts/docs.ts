// Keeps generated documentation current: writes the parts between markers from code. With --check, it only reports what
// is stale and fails.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toReference } from "../src/analyzer/checks/references.ts";
import { listRows } from "../src/analyzer/dns/dnsbl-table.ts";
import { nameOf, replyCodes } from "../src/analyzer/mail/bounces/reply-codes.ts";
import { eventWords } from "../src/features/alerts/rules/alert-event.ts";
import { hookProviderTable } from "../src/features/hooks/rules/providers.ts";
import { toAnchor } from "../src/handbook/markdown.ts";
import { settings } from "../src/platform/settings/config.ts";
import { newestResult, tables } from "./bench/figures.ts";
import { buildings } from "./imports.ts";

type Parts = Readonly<Record<string, () => string>>;

/** The generated parts of each document, by the name in their markers. */
const documents: Readonly<Record<string, Parts>> = {
  "src/handbook/settings.md": { settings: toSettingsTable },
  "src/handbook/blocklists.md": { blocklists: toBlocklistsTable },
  "src/handbook/provider-webhooks.md": { providers: toHookProvidersTable },
  "src/handbook/bounce-codes.md": { index: toReplyCodeIndex, codes: toReplyCodes },
  "src/handbook/alerts.md": { events: toEventsTable },
  "src/handbook/figures.md": Object.fromEntries(tables.map((table) => [table, () => toFiguresTable(table)])),
  "src/README.md": { map: toMap },
};

function toSettingsTable(): string {
  const rows = Object.values(settings).map(({ name, fallbackText, kind, members, doc }) => {
    const family = members ? ` For ${members.join(", ")}.` : "";
    return [`\`${name}\``, fallbackText, kind.takes, `${doc}${family}`];
  });
  return toTable(["Setting", "Default", "Value", "Meaning"], rows);
}

export function toBlocklistsTable(): string {
  const about = { address: "addresses", domain: "domains", allow: "good senders" };
  const rows = listRows.map(({ kind, name, zones, terms }) => [
    name,
    zones.map((zone) => `\`${zone}\``).join(" "),
    about[kind],
    terms,
  ]);
  return toTable(["List", "Zones", "Lists", "Terms"], rows);
}

export function toHookProvidersTable(): string {
  const rows = Object.values(hookProviderTable).map(({ label, feedback, mail, proves }) => [
    label,
    feedback === null ? "no" : "yes",
    mail === null ? "no" : ["yes", mail.limit].filter((part) => part !== undefined).join(", "),
    proves,
  ]);
  return toTable(["Provider", "Bounces and complaints", "Received mail", "What each request proves"], rows);
}

/** A section each, which search finds and the web app links to. */
/** Those that two providers send are listed with each. */
function toReplyCodeIndex(): string {
  const senders = [...new Set(replyCodes.map(({ by }) => by))];
  const single = senders.filter((by) => !senders.some((other) => other !== by && by.includes(other)));
  const rows = single.map((sender) => {
    const links = replyCodes
      .filter(({ by }) => by.includes(sender))
      .flatMap((row) =>
        [...row.codes, ...(row.tags ?? [])].map(
          (code) => [code, `[${code.replace(" ", "\u00a0")}](#${toAnchor(nameOf(row))})`] as const,
        ),
      );
    const sorted = links.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, link]) => link);
    return [sender, sorted.join(" · ")];
  });
  return toTable(["From", "Codes"], rows);
}

function toReplyCodes(): string {
  const sections = replyCodes.map((row) => {
    const others = [...row.codes, ...(row.tags ?? [])].filter((code) => !nameOf(row).includes(code));
    const { title, url } = toReference(row.source);
    return [
      `### ${nameOf(row)}`,
      ...(others.length > 0 ? [`Also: ${others.join(", ")}.`] : []),
      row.means,
      `**What to do:** ${row.todo} Source: [${title}](${url}).`,
    ].join("\n\n");
  });
  return `\n${sections.join("\n\n")}\n`;
}

function toEventsTable(): string {
  const rows = Object.entries(eventWords).map(([type, { label, when }]) => [`\`${type}\``, label, when]);
  return toTable(["Event", "What happened", "When"], rows);
}

/** Only what was measured, with what, where, and when. */
function toFiguresTable(table: (typeof tables)[number]): string {
  const result = newestResult(table);
  if (result === undefined) return "Not measured yet.";
  const { figures, absent, command, date, commit, machine } = result;
  const columns = [...new Set(Object.values(figures).flatMap((row) => Object.keys(row)))];
  const rows = Object.entries(figures).map(([name, row]) => [
    name,
    ...columns.map(
      (column) =>
        row[column]
          ?.map((part) => part.toLocaleString("en"))
          .join(" ")
          .trim() ?? "–",
    ),
  ]);
  const sentences = [
    `Measured on ${date} at commit \`${commit}\` on ${machine}, with \`${command}\`.`,
    ...Object.entries(absent).map(([peer, lack]) => `Without ${peer}, because that machine lacked ${lack}.`),
  ];
  return `${toTable(["", ...columns], rows)}\n\n${sentences.join(" ")}`;
}

/** The buildings in their order, and what each feature is, from the first line of its index.ts. */
export function toMap(): string {
  const features = readdirSync("src/features").map((name) => {
    const [first = ""] = readFileSync(`src/features/${name}/index.ts`, "utf8").split("\n");
    return [`\`features/${name}\``, first.replace(/^\/\/ /, "")];
  });
  const rows = buildings.flatMap(({ name, about }) => [
    [`\`${name}\``, about],
    ...(name === "features" ? features : []),
  ]);
  return toTable(["Place", "What it is"], rows);
}

function toTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heading, heading.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}

export function withGeneratedParts(file: string, text: string, parts: Parts = documents[file] ?? {}): string {
  return Object.entries(parts).reduce((whole, [name, write]) => {
    const marked = new RegExp(`(<!-- ${name}:begin -->\\n)[\\s\\S]*?(<!-- ${name}:end -->)`);
    if (!marked.test(whole)) throw new Error(`${file} has no part marked ${name}:begin … ${name}:end.`);
    return whole.replace(marked, (_, begin: string, end: string) => `${begin}${write()}\n${end}`);
  }, text);
}

if (import.meta.main) {
  const isCheck = process.argv.includes("--check");
  for (const file of Object.keys(documents)) {
    const path = join(import.meta.dirname, "..", file);
    const text = readFileSync(path, "utf8");
    const written = withGeneratedParts(file, text);
    if (written === text) continue;
    if (isCheck) {
      console.error(`${file} is out of date. Run npm run script -- scripts/docs.ts.`);
      process.exitCode = 1;
    } else writeFileSync(path, written);
  }
}
