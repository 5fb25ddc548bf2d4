// The rules for imports. The order of `rooms` is the order of the layers, top to bottom: a file imports from its own
// room or from rooms above it. `npm run docs` writes the map in src/README.md from these tables. Reads text, not syntax
// trees, because the formatter leaves only one way to write an import.

import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative } from "node:path";

export type Room = {
  /** A folder or a file in src/. */
  readonly name: string;
  /** Pure: no I/O, no clock, no randomness. Edges never import one another. */
  readonly layer: "pure" | "effects" | "edge" | "wiring";
  /** The only other rooms that it may import, if fewer than all above. */
  readonly only?: readonly string[];
};

export type SourceFile = { readonly path: string; readonly text: string };

/** A room with its description for the map in src/README.md. */
export type MappedRoom = Room & { readonly about: string };
export type InnerRoom = { readonly name: string; readonly about: string };

export const rooms: readonly MappedRoom[] = [
  { name: "errors.ts", layer: "pure", about: "the closed set of refusals that a caller can get" },
  {
    name: "ids.ts",
    layer: "pure",
    about: "identifiers: a prefix for the kind, then 26 characters that sort by time",
  },
  { name: "json.ts", layer: "pure", about: "reads JSON from strangers" },
  { name: "version.ts", layer: "pure", about: "this program's version, from package.json" },
  { name: "visible-text.ts", layer: "pure", about: "makes a stranger's text safe to print" },
  { name: "addresses.ts", layer: "pure", about: "which IP addresses are public" },
  { name: "search-words.ts", layer: "pure", about: "splits a text into the words that search compares" },
  { name: "closest-word.ts", layer: "pure", about: "finds the word that a person probably meant" },
  { name: "setting-kinds.ts", layer: "pure", about: "the kinds of values that settings take" },
  {
    name: "mail",
    layer: "pure",
    about: "what a message and its SMTP session are: parsing, recognizing bounces and reports",
  },
  {
    name: "dns",
    layer: "pure",
    about: "DNS answers and record grammars: text to record, or what is wrong with it",
  },
  {
    name: "laboratory",
    layer: "pure",
    about: "the sample gallery: prepared messages and the DNS zone that they are judged by",
  },
  { name: "config.ts", layer: "pure", about: "every setting once: name, kind, default, description" },
  {
    name: "config-reading.ts",
    layer: "pure",
    about: "environment and settings file to settings, or everything wrong with them",
  },
  {
    name: "checks",
    layer: "pure",
    about: "what Assay judges: one check a file, one folder an area; the facts that checks ask for",
  },
  {
    name: "placement",
    layer: "pure",
    about: "predicts where mailbox providers put a message; the weights are a table",
  },
  {
    name: "reports",
    layer: "pure",
    about: "what an analysis says: judgment, score, timeline, comparison, observed placement",
  },
  {
    name: "domains",
    layer: "pure",
    about: "what a monitored domain publishes, what changed in meaning, which records to publish",
  },
  { name: "alerts", layer: "pure", about: "the messages that webhooks get, and when a delivery is retried" },
  { name: "accounts", layer: "pure", about: "roles, plans, tokens, links, passwords, reserved addresses" },
  {
    name: "integrations",
    layer: "pure",
    about: "the services that a workspace can connect to, and the facts about each provider",
  },
  {
    name: "handbook",
    layer: "pure",
    about: "the handbook that is served under /docs, and which page helps with a finding",
  },
  { name: "api", layer: "pure", about: "the contract: schemas of requests and answers, one file a noun" },
  {
    name: "system",
    layer: "effects",
    about: "the outside world as one argument: clock, randomness, DNS, HTTP, log, files",
  },
  {
    name: "facts",
    layer: "effects",
    about: "gathers facts about a message or a domain; `gather.ts` gathers all of them",
  },
  { name: "store", layer: "effects", about: "the database: SQLite and PostgreSQL" },
  { name: "tasks", layer: "effects", about: "what the service does" },
  { name: "smtp", layer: "edge", about: "the SMTP listener" },
  { name: "http", layer: "edge", about: "the routes, one file a noun; `app.ts` lists them" },
  {
    name: "mcp",
    layer: "edge",
    about: "the MCP server for AI agents; its tools call the endpoints of the API",
  },
  {
    name: "web",
    layer: "edge",
    only: ["api"],
    about:
      "the web app: a folder a page, `parts/` that pages share, `client/` for the API, `style/`; the server renders reports by `report/static.tsx`",
  },
  {
    name: "installation.ts",
    layer: "wiring",
    about: "what a command and the server share: data directory, key, open database",
  },
  {
    name: "running.ts",
    layer: "wiring",
    about: "what all parts of a running server share, and how long each may take to stop",
  },
  {
    name: "http-wiring.ts",
    layer: "wiring",
    about: "what the routes need, built from the parts; the server and the tests both call it",
  },
  {
    name: "listeners.ts",
    layer: "wiring",
    about: "the SMTP listener and the web server, built from the parts",
  },
  { name: "app.ts", layer: "wiring", about: "builds the parts and connects them" },
  { name: "worker.ts", layer: "wiring", about: "the entry of the analysis threads" },
  { name: "cli", layer: "wiring", about: "one file a command" },
  {
    name: "main.ts",
    layer: "wiring",
    about: "arguments to command to exit status; the only reader of `process`",
  },
];

/**
 * The rooms inside the largest ones, top to bottom: a file imports from its own room or from those above it. Files next
 * to the rooms are open to all of them.
 */
export const innerRooms: Readonly<Record<string, readonly InnerRoom[]>> = {
  mail: [
    { name: "text", about: "charsets, bounded text, what can be stored" },
    { name: "session", about: "what the SMTP session of a message was" },
    { name: "headers", about: "header fields: addresses, dates, Received lines, earlier verdicts" },
    { name: "mime", about: "the MIME tree, bodies, attachments, file kinds" },
    { name: "urls", about: "web addresses and known trackers" },
    { name: "html", about: "the HTML part: tree, computed style, visible text, safe HTML" },
    { name: "links", about: "links, images, trackers, unsubscribe links" },
    { name: "signing", about: "DKIM body hashes, and signing mail that Assay sends" },
    { name: "reports", about: "DMARC aggregate and TLS reports, the classes of mail" },
    { name: "bounces", about: "distinguishes bounces, complaints and reports from tests" },
  ],
  store: [
    { name: "schema", about: "the tables as types" },
    {
      name: "engine",
      about: "SQLite driver, write queue, group commit: see its [README](store/engine/README.md)",
    },
    { name: "migrations", about: "the schema, one migration after the other" },
    { name: "search", about: "full-text search on both databases" },
    { name: "mail-reports", about: "DMARC and TLS reports" },
    { name: "tests", about: "tests, their raw messages and reports" },
    { name: "intake", about: "inserts received messages" },
    { name: "rollups", about: "sums for the dashboard, kept by the database" },
    { name: "domains", about: "monitored domains and known senders" },
    { name: "alerts", about: "webhooks and the outbox of deliveries" },
    { name: "mailboxes", about: "seed mailboxes, what they showed, calibration" },
    { name: "sending", about: "seed inboxes and sent samples" },
    { name: "people", about: "users, sessions, tokens, workspaces, shares" },
  ],
  tasks: [
    { name: "events", about: "notifies listeners of what happens in a workspace" },
    { name: "removal", about: "deletes tests in small steps" },
    { name: "analysis", about: "the analysis of a message or domain, and the threads that run it" },
    { name: "billing", about: "plans, limits, the payment provider" },
    { name: "intake", about: "a received message to rows on disk" },
    { name: "oauth", about: "OAuth clients and access tokens" },
    { name: "mailboxes", about: "watches seed mailboxes over IMAP" },
    { name: "alerts", about: "raises alerts and delivers them" },
    { name: "connections", about: "integrations that are connected by OAuth" },
    { name: "tests", about: "the analysis queue, and the data of tests for pages" },
    { name: "domains", about: "checks monitored domains every hour" },
    { name: "sending", about: "sends samples and signs them" },
    { name: "accounts", about: "setup, login, members, tokens, shares, workspaces" },
    { name: "upkeep", about: "retention and recurring chores" },
    { name: "doctor", about: "the server check" },
  ],
};

/** Packages that only one place may use: a path, or its beginning. */
export const doors: Readonly<Record<string, readonly string[]>> = {
  "@modelcontextprotocol/sdk": ["mcp/", "cli/mcp.ts"],
  "better-sqlite3": ["store/"],
  croner: ["tasks/"],
  "dns-packet": ["system/"],
  h3: ["http/"],
  htmlparser2: ["mail/html/tree.ts", "mail/html/references.ts"],
  imapflow: ["tasks/"],
  "ipaddr.js": ["addresses.ts", "setting-kinds.ts", "http/client-address.ts"],
  kysely: ["store/"],
  mailparser: ["mail/mime/rare-charsets.ts"],
  marked: ["handbook/"],
  nodemailer: ["tasks/"],
  "openid-client": ["tasks/oauth/"],
  pg: ["store/"],
  preact: ["web/"],
  "preact-render-to-string": ["web/report/static.tsx"],
  "prom-client": ["http/"],
  "smtp-server": ["smtp/"],
  stripe: ["tasks/billing/payments.ts"],
  tldts: ["mail/", "facts/listed-domains.ts"],
  zod: ["api/", "http/", "mcp/"],
};

/**
 * Files that a room must not load at run time, not even through others. Importing their types is allowed. A serializer
 * gets the catalog of checks from its caller as an argument.
 */
const notLoadedBy: Readonly<Record<string, readonly string[]>> = {
  api: ["checks/list.ts", "checks/tallies/list.ts"],
};

const pureBuiltins = /^node:(buffer|crypto|path|querystring|string_decoder|url|util|zlib)$/;
const effects =
  /\bDate\.now\(|\bnew Date\(\s*\)|\bperformance\.now\(|\bMath\.random\(|\brandom(Bytes|UUID|Int)\(|\bgetRandomValues\(|\bset(Timeout|Interval|Immediate)\(|\bfetch\(|\bprocess\.|\bglobalThis\b/g;
const vagueFolder = /(^|\/)(utils?|helpers?|common|services?|managers?|types)\//;
/** Long because each is one table. */
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
    ...Object.entries(innerRooms).flatMap(([name, inner]) =>
      problemsInside(
        name,
        inner.map((room) => room.name),
        files,
      ),
    ),
    ...Object.entries(notLoadedBy).flatMap(([name, banned]) => problemsOfLoading(name, banned, files)),
  ];
}

function problemsOfLoading(name: string, banned: readonly string[], files: readonly SourceFile[]): string[] {
  const loads = new Map(files.map(({ path, text }) => [path, loadsOf(path, text)]));
  return files
    .filter(({ path }) => roomOf(path) === name)
    .flatMap(({ path }) => {
      const way = findWay(path, banned, loads);
      return way === undefined ? [] : [`src/${path}: loads ${way.at(-1)}, by way of ${way.join(", ")}`];
    });
}

/** The chain of files from the first import to the banned one. */
function findWay(
  from: string,
  banned: readonly string[],
  loads: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const ways = new Map<string, readonly string[]>([[from, []]]);
  // Files that are added meanwhile are visited too.
  for (const [path, way] of ways) {
    if (banned.includes(path)) return way;
    for (const next of loads.get(path) ?? []) if (!ways.has(next)) ways.set(next, [...way, next]);
  }
  return undefined;
}

/** Our own files that a file loads at run time. */
function loadsOf(path: string, text: string): string[] {
  const code = withoutComments(text).replace(/^(?:import|export) type\b[^;]*;/gm, "");
  return importsOf(code)
    .filter((target) => target.startsWith("."))
    .map((target) => posix.join(posix.dirname(path), target));
}

function problemsInside(name: string, inner: readonly string[], files: readonly SourceFile[]): string[] {
  const own = files.filter(({ path }) => path.startsWith(`${name}/`));
  const beside = own.filter(({ path }) => path.split("/").length === 2);
  const folders = new Set(own.flatMap(({ path }) => (path.split("/").length > 2 ? [innerRoomOf(path)] : [])));
  return [
    ...(beside.length > maxBesideRooms
      ? [`src/${name}: ${beside.length} files are next to the rooms, ${maxBesideRooms} at most`]
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
        return from >= 0 && other > from ? [`src/${path}: imports ${to}, which is below ${inner[from]}`] : [];
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
    ...(vagueFolder.test(file.path) ? ["is in a folder with a meaningless name"] : []),
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
  if (table.indexOf(other) > table.indexOf(room)) return `imports ${name}, which is below ${room.name}`;
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
  return `imports ${packageName}, which only ${allowed.join(" or ")} may use`;
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

/** Strings are matched first, so that the slashes of a URL don't begin a comment. */
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
