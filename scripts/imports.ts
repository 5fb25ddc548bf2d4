// The direction of imports as a program. The order of `rooms` is the order of the house, top to bottom: a file imports
// from its own room or from rooms above it. The map in README shows the same rows.
// Reads text, not syntax trees, because the formatter leaves one way to write an import.

import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative } from "node:path";

export type Room = {
  /** A folder or a file in src/. */
  readonly name: string;
  /** Pure: no I/O, no clock, no randomness. Edges never import one another. */
  readonly layer: "pure" | "effects" | "edge" | "wiring";
  /** The only other rooms it may import, where that is fewer than all above. */
  readonly only?: readonly string[];
};

export type SourceFile = { readonly path: string; readonly text: string };

export const rooms: readonly Room[] = [
  { name: "errors.ts", layer: "pure" },
  { name: "ids.ts", layer: "pure" },
  { name: "version.ts", layer: "pure" },
  { name: "visible-text.ts", layer: "pure" },
  { name: "addresses.ts", layer: "pure" },
  { name: "search-words.ts", layer: "pure" },
  { name: "setting-kinds.ts", layer: "pure" },
  { name: "mail", layer: "pure" },
  { name: "dns", layer: "pure" },
  { name: "laboratory", layer: "pure" },
  { name: "config.ts", layer: "pure" },
  { name: "config-reading.ts", layer: "pure" },
  { name: "checks", layer: "pure" },
  { name: "placement", layer: "pure" },
  { name: "reports", layer: "pure" },
  { name: "domains", layer: "pure" },
  { name: "alerts", layer: "pure" },
  { name: "accounts", layer: "pure" },
  { name: "integrations", layer: "pure" },
  { name: "api", layer: "pure" },
  { name: "system", layer: "effects" },
  { name: "facts", layer: "effects" },
  { name: "store", layer: "effects" },
  { name: "tasks", layer: "effects" },
  { name: "smtp", layer: "edge" },
  { name: "http", layer: "edge" },
  { name: "web", layer: "edge", only: ["api"] },
  { name: "installation.ts", layer: "wiring" },
  { name: "running.ts", layer: "wiring" },
  { name: "listeners.ts", layer: "wiring" },
  { name: "app.ts", layer: "wiring" },
  { name: "worker.ts", layer: "wiring" },
  { name: "cli", layer: "wiring" },
  { name: "main.ts", layer: "wiring" },
];

/**
 * The rooms within the largest ones, again top to bottom: a file imports from its own room or from those above it. Files
 * that lie beside the rooms are common ground.
 */
export const innerRooms: Readonly<Record<string, readonly string[]>> = {
  mail: ["text", "session", "headers", "mime", "urls", "html", "links", "signing", "reports", "bounces"],
  store: [
    "schema",
    "engine",
    "migrations",
    "search",
    "mail-reports",
    "tests",
    "intake",
    "rollups",
    "domains",
    "alerts",
    "mailboxes",
    "sending",
    "people",
  ],
  tasks: [
    "events",
    "removal",
    "analysis",
    "billing",
    "intake",
    "oauth",
    "mailboxes",
    "alerts",
    "connections",
    "tests",
    "domains",
    "sending",
    "accounts",
    "upkeep",
    "doctor",
  ],
};

/** Packages that only one place may use: a path, or what a path begins with. */
export const doors: Readonly<Record<string, readonly string[]>> = {
  "better-sqlite3": ["store/"],
  croner: ["tasks/"],
  "dns-packet": ["system/"],
  h3: ["http/"],
  htmlparser2: ["mail/html/tree.ts", "mail/html/references.ts"],
  imapflow: ["tasks/"],
  "ipaddr.js": ["addresses.ts", "setting-kinds.ts", "http/client-address.ts"],
  kysely: ["store/"],
  mailparser: ["mail/mime/rare-charsets.ts"],
  nodemailer: ["tasks/"],
  "openid-client": ["tasks/oauth/"],
  pg: ["store/"],
  preact: ["web/"],
  "prom-client": ["http/"],
  "smtp-server": ["smtp/"],
  stripe: ["tasks/billing/payments.ts"],
  tldts: ["mail/", "facts/listed-domains.ts"],
  zod: ["api/", "http/"],
};

const pureBuiltins = /^node:(buffer|crypto|path|querystring|string_decoder|url|util|zlib)$/;
const effects =
  /\bDate\.now\(|\bnew Date\(\s*\)|\bperformance\.now\(|\bMath\.random\(|\brandom(Bytes|UUID|Int)\(|\bgetRandomValues\(|\bset(Timeout|Interval|Immediate)\(|\bfetch\(|\bprocess\.|\bglobalThis\b/g;
const vagueFolder = /(^|\/)(utils?|helpers?|common|services?|managers?|types)\//;
/** Long because they are one table. */
const tables = /^config\.ts$|(^|\/)data\/|-tables?\.ts$/;
const maxLines = 300;
const maxBesideRooms = 12;

export function findProblems(files: readonly SourceFile[], table: readonly Room[] = rooms): string[] {
  const present = [...new Set(files.map(({ path }) => roomOf(path)))];
  const unknown = present.filter((name) => !table.some((room) => room.name === name));
  const missing = table.filter(({ name }) => !present.includes(name));
  return [
    ...missing.map(({ name }) => `scripts/imports.ts: the room ${name} is not in src/`),
    ...unknown.map((name) => `src/${name}: the room is not in the table of scripts/imports.ts`),
    ...files.flatMap((file) => problemsOf(file, table).map((problem) => `src/${file.path}: ${problem}`)),
    ...Object.entries(innerRooms).flatMap(([name, inner]) => problemsInside(name, inner, files)),
  ];
}

function problemsInside(name: string, inner: readonly string[], files: readonly SourceFile[]): string[] {
  const own = files.filter(({ path }) => path.startsWith(`${name}/`));
  const beside = own.filter(({ path }) => path.split("/").length === 2);
  const folders = new Set(own.flatMap(({ path }) => (path.split("/").length > 2 ? [innerRoomOf(path)] : [])));
  return [
    ...(beside.length > maxBesideRooms
      ? [`src/${name}: ${beside.length} files lie beside the rooms, ${maxBesideRooms} at most`]
      : []),
    ...[...folders]
      .filter((folder) => !inner.includes(folder))
      .map((folder) => `src/${name}/${folder}: the room is not in the table of scripts/imports.ts`),
    ...own.flatMap(({ path, text }) =>
      importsOf(withoutComments(text)).flatMap((target) => {
        if (!target.startsWith(".")) return [];
        const to = posix.join(posix.dirname(path), target);
        if (!to.startsWith(`${name}/`)) return [];
        const [from, other] = [inner.indexOf(innerRoomOf(path)), inner.indexOf(innerRoomOf(to))];
        return from >= 0 && other > from
          ? [`src/${path}: imports ${to}, which lies below ${inner[from]}`]
          : [];
      }),
    ),
  ];
}

function innerRoomOf(path: string): string {
  return path.split("/")[1] ?? "";
}

function problemsOf(file: SourceFile, table: readonly Room[]): string[] {
  const room = table.find(({ name }) => name === roomOf(file.path));
  if (!room) return [];
  const code = withoutComments(file.text);
  const words = code.replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
  return [
    ...importsOf(code).flatMap((target) => importProblem(file.path, target, room, table) ?? []),
    ...(room.layer === "pure"
      ? (words.match(effects) ?? []).map((effect) => `${effect} in a pure room`)
      : []),
    ...(/^export default\b/m.test(code) ? ["has a default export"] : []),
    ...(/^export \*/m.test(code) ? ["is a barrel (export *)"] : []),
    ...(/^import "/m.test(code) ? ["imports for a side effect"] : []),
    ...(vagueFolder.test(file.path) ? ["lies in a folder whose name says nothing"] : []),
    ...(lineCount(file.text) > maxLines && !tables.test(file.path)
      ? [`has more than ${maxLines} lines`]
      : []),
  ];
}

function importProblem(path: string, target: string, room: Room, table: readonly Room[]): string | undefined {
  if (target.startsWith("node:")) {
    return room.layer === "pure" && !pureBuiltins.test(target) ? `${target} in a pure room` : undefined;
  }
  if (!target.startsWith(".")) return doorProblem(path, target);
  const name = roomOf(posix.join(posix.dirname(path), target));
  if (name === room.name || target.endsWith("/package.json")) return undefined;
  const other = table.find((candidate) => candidate.name === name);
  if (!other) return `imports ${target}, which is in no room`;
  if (table.indexOf(other) > table.indexOf(room)) return `imports ${name}, which lies below ${room.name}`;
  if (room.layer === "edge" && other.layer === "edge")
    return `imports ${name}: edges never import one another`;
  return room.only && !room.only.includes(name)
    ? `imports ${name}; ${room.name} may import ${room.only.join(", ")} only`
    : undefined;
}

function doorProblem(path: string, target: string): string | undefined {
  const packageName = target.split("/", target.startsWith("@") ? 2 : 1).join("/");
  const allowed = doors[packageName];
  if (!allowed || allowed.some((door) => path.startsWith(door))) return undefined;
  return `imports ${packageName}, whose door is ${allowed.join(" or ")}`;
}

/** Static, dynamic and re-exporting. */
export function importsOf(code: string): string[] {
  const pattern =
    /^(?:import|export)\s[^"'`;]*?from\s+"([^"]+)"|^import "([^"]+)"|\b(?:import|require)\(\s*"([^"]+)"/gm;
  return [...code.matchAll(pattern)].flatMap(([, ...targets]) =>
    targets.filter((target) => target !== undefined),
  );
}

export function readSources(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ path: relative(folder, file), text: readFileSync(file, "utf8") }));
}

function roomOf(path: string): string {
  return path.split("/")[0] ?? "";
}

/** Strings are matched first, so that the slashes of a URL begin no comment. */
function withoutComments(text: string): string {
  return text.replace(
    /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, string?: string) => string ?? "",
  );
}

function lineCount(text: string): number {
  return text.trimEnd().split("\n").length;
}

if (import.meta.main) {
  const problems = findProblems(readSources(join(import.meta.dirname, "..", "src")));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
