// Keeps README true: writes the parts between markers that are made from code, and compares the map with the rooms.
// npm run docs writes; --check only says what is stale and fails.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { settings } from "../src/config.ts";
import { listRows } from "../src/dns/dnsbl-table.ts";
import { rooms } from "./imports.ts";

/** Every generated part, by the name in its markers. */
const parts: Readonly<Record<string, () => string>> = {
  settings: toSettingsTable,
  blocklists: toBlocklistsTable,
};

export function toSettingsTable(): string {
  const rows = Object.values(settings).map(({ name, fallbackText, kind, members, doc }) => {
    const family = members ? ` For ${members.join(", ")}.` : "";
    return [`\`${name}\``, fallbackText, kind.takes, `${doc}${family}`];
  });
  return toTable(["Setting", "Default", "Takes", "What for"], rows);
}

export function toBlocklistsTable(): string {
  const about = { address: "addresses", domain: "domains", allow: "good addresses" };
  const rows = listRows.map(({ kind, name, zones, terms }) => [
    name,
    zones.map((zone) => `\`${zone}\``).join(" "),
    about[kind],
    terms,
  ]);
  return toTable(["List", "Zones", "Of", "Terms"], rows);
}

function toTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heading, heading.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}

export function withGeneratedParts(readme: string): string {
  return Object.entries(parts).reduce((text, [name, write]) => replacePart(text, name, write()), readme);
}

/** The names that the map in README gives to the rooms of src/, in its order. */
export function roomsOfMap(readme: string): string[] {
  const [, map = ""] = /^src\/\n([\s\S]*?)^\S/m.exec(readme) ?? [];
  return [...map.matchAll(/^ {2}([\w.-]+)\/? /gm)].map(([, name]) => name ?? "");
}

function replacePart(text: string, name: string, content: string): string {
  const marked = new RegExp(`(<!-- ${name}:begin -->\\n)[\\s\\S]*?(<!-- ${name}:end -->)`);
  if (!marked.test(text)) throw new Error(`README.md has no part marked ${name}:begin … ${name}:end.`);
  return text.replace(marked, (_, begin: string, end: string) => `${begin}${content}\n${end}`);
}

function problemsOf(readme: string): string[] {
  const mapped = roomsOfMap(readme).join(" ");
  const wanted = rooms.map(({ name }) => name).join(" ");
  return [
    ...(withGeneratedParts(readme) === readme ? [] : ["README.md is stale: npm run docs writes it."]),
    ...(mapped === wanted
      ? []
      : [
          `The map in README.md names other rooms, or another order, than scripts/imports.ts:\n  ${mapped}\n  ${wanted}`,
        ]),
  ];
}

if (import.meta.main) {
  const file = join(import.meta.dirname, "..", "README.md");
  if (!process.argv.includes("--check")) writeFileSync(file, withGeneratedParts(readFileSync(file, "utf8")));
  const problems = problemsOf(readFileSync(file, "utf8"));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
