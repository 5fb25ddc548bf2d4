// The operator's own names of senders: senders.csv in the data directory, in the format of parsedmarc's map of reverse DNS
// names, so that its newest edition can be put there as it is.

import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { readDomainName } from "../../../analyzer/dns/domain-name.ts";
import type { SenderKind, SenderRow } from "../../../analyzer/senders/name-sender.ts";
import { toVisibleCut } from "../../../analyzer/visible-text.ts";
import { messageOf, Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";

const mostBytes = 4_000_000;
const longestName = 80;

/** Types of that map. All others are organizations. */
const kinds: ReadonlyMap<string, SenderKind> = new Map([
  ["email provider", "mailbox"],
  ["email security", "gateway"],
  ["forwarder", "forwarder"],
  ["iaas", "hosting"],
  ["isp", "network"],
  ["marketing", "service"],
  ["msp", "hosting"],
  ["paas", "hosting"],
  ["saas", "service"],
  ["web host", "hosting"],
]);

/** Without the file, no rows. Bad rows are left out, and counted. */
export async function readSendersFile({
  dataDir,
}: Pick<Config, "dataDir">): Promise<{ readonly rows: readonly SenderRow[]; readonly bad: number }> {
  const path = join(dataDir, "senders.csv");
  const text = await readText(path);
  if (text === null) return { rows: [], bad: 0 };
  const [, ...lines] = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const rows = lines.map(readRow);
  const good = rows.filter((row) => row !== null);
  return { rows: good, bad: rows.length - good.length };
}

/** Null: there is none. */
async function readText(path: string): Promise<string | null> {
  try {
    const { size } = await stat(path);
    if (size > mostBytes) throw new Error(`it has more than ${mostBytes / 1_000_000} MB`);
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw new Refusal("invalid_request", `${path} can’t be used: ${messageOf(error)}.`);
  }
}

function readRow(line: string): SenderRow | null {
  const [host = "", name = "", type = ""] = toCells(line);
  const domain = readDomainName(host);
  const shown = toVisibleCut(name, longestName).trim();
  if (!domain.ok || shown === "") return null;
  return {
    name: shown,
    kind: kinds.get(type.trim().toLowerCase()) ?? "organization",
    domains: [domain.domain],
    page: null,
  };
}

/** As in RFC 4180, without line breaks in cells. */
function toCells(line: string): string[] {
  return [...line.slice(0, 1_000).matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
  );
}
