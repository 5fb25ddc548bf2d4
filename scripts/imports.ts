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
  { name: "errors.ts", layer: "pure", about: "all refusals that a caller can get" },
  { name: "ids.ts", layer: "pure", about: "IDs: a prefix for the kind, then 26 characters that sort by time" },
  { name: "json.ts", layer: "pure", about: "reads untrusted JSON" },
  { name: "version.ts", layer: "pure", about: "Assay's version, from package.json" },
  { name: "visible-text.ts", layer: "pure", about: "makes untrusted text safe to print" },
  { name: "addresses.ts", layer: "pure", about: "which IP addresses are public" },
  { name: "search-words.ts", layer: "pure", about: "splits text into search words" },
  { name: "count-words.ts", layer: "pure", about: "counts in words" },
  { name: "closest-word.ts", layer: "pure", about: "finds the closest match for a misspelled word" },
  { name: "setting-kinds.ts", layer: "pure", about: "the types of setting values" },
  { name: "mail", layer: "pure", about: "parses messages and SMTP sessions, and recognizes bounces and reports" },
  { name: "dns", layer: "pure", about: "DNS responses, and parsers for DNS records that report what is wrong" },
  { name: "laboratory", layer: "pure", about: "the sample gallery: ready-made messages and their DNS zone" },
  {
    name: "backups",
    layer: "pure",
    about: "scheduled backups: their names, notes, and settings, and which of them are kept",
  },
  { name: "config.ts", layer: "pure", about: "all settings, with name, type, default, and description" },
  {
    name: "config-reading.ts",
    layer: "pure",
    about: "reads settings from the environment and the settings file, and reports every error",
  },
  {
    name: "checks",
    layer: "pure",
    about: "the checks, one file for each check and one folder for each area, and the facts that they need",
  },
  {
    name: "placement",
    layer: "pure",
    about: "predicts where mailbox providers put a message, with a table of weights",
  },
  {
    name: "reports",
    layer: "pure",
    about: "the results of an analysis: judgment, score, timeline, comparison, and observed placement",
  },
  {
    name: "signed-reports",
    layer: "pure",
    about: "signed report files: the key, the format, verification, and redaction",
  },
  {
    name: "rehearsal",
    layer: "pure",
    about: "addresses that answer as receivers would or probe the sender, and what a sender's behavior means",
  },
  {
    name: "domains",
    layer: "pure",
    about: "monitored domains: what they publish, what really changed, and which records to publish",
  },
  { name: "monitors", layer: "pure", about: "what a monitor expects, when it is due, and what happened means for it" },
  {
    name: "feedback",
    layer: "pure",
    about: "what DMARC and TLS reports, bounces and complaints show: problems, and advice on the DMARC policy",
  },
  { name: "alerts", layer: "pure", about: "webhook messages, and when deliveries are retried" },
  { name: "accounts", layer: "pure", about: "roles, plans, tokens, links, passwords, and reserved addresses" },
  {
    name: "integrations",
    layer: "pure",
    about: "the services that a workspace can connect, with each provider's data",
  },
  { name: "handbook", layer: "pure", about: "the handbook served at /docs, and which page helps with a finding" },
  {
    name: "audit",
    layer: "pure",
    about: "entries of the audit log: actions and their sentences, the hash chain, and the syslog format",
  },
  { name: "api", layer: "pure", about: "the API contract: request and response schemas, one file for each noun" },
  { name: "formats", layer: "pure", about: "reports as text, JUnit XML, SARIF, and Markdown" },
  {
    name: "system",
    layer: "effects",
    about: "the outside world as one argument: clock, randomness, DNS, HTTP, log, and files",
  },
  {
    name: "facts",
    layer: "effects",
    about: "gathers facts about a message or a domain; `gather.ts` gathers all of them",
  },
  {
    name: "second-reader",
    layer: "effects",
    about: "reads and verifies a message again with independent libraries, and compares the results",
  },
  { name: "store", layer: "effects", about: "the database, SQLite or PostgreSQL" },
  { name: "tasks", layer: "effects", about: "the work that the service does" },
  { name: "smtp", layer: "edge", about: "the SMTP listener" },
  { name: "http", layer: "edge", about: "the routes, one file for each noun; `app.ts` lists them" },
  { name: "mcp", layer: "edge", about: "the MCP server for AI agents; its tools call the endpoints of the API" },
  {
    name: "web",
    layer: "edge",
    only: ["api"],
    about:
      "the web app: a folder for each page, shared `parts/`, `client/` for the API, and `style/`; the server renders reports with `report/static.tsx`",
  },
  {
    name: "installation.ts",
    layer: "wiring",
    about: "what commands and the server share: data directory, key, and open database",
  },
  {
    name: "running.ts",
    layer: "wiring",
    about: "what all parts of a running server share, and how long each has to stop",
  },
  { name: "login-wiring.ts", layer: "wiring", about: "connects the parts that let people log in" },
  {
    name: "http-wiring.ts",
    layer: "wiring",
    about: "what the routes need, built from the parts; the server and the tests both call it",
  },
  { name: "listeners.ts", layer: "wiring", about: "the SMTP listener and the web server, built from the parts" },
  { name: "background.ts", layer: "wiring", about: "starts the work that no client waits for" },
  { name: "app.ts", layer: "wiring", about: "builds the parts and connects them" },
  { name: "worker.ts", layer: "wiring", about: "the entry point of the analysis threads" },
  { name: "cli", layer: "wiring", about: "the commands, one file each" },
  {
    name: "main.ts",
    layer: "wiring",
    about: "runs the command from the arguments and sets the exit status; only this file uses `process`",
  },
];

/**
 * The rooms inside the largest ones, top to bottom: a file imports from its own room or from those above it. Files next
 * to the rooms are open to all of them.
 */
export const innerRooms: Readonly<Record<string, readonly InnerRoom[]>> = {
  mail: [
    { name: "text", about: "charsets, bounded text, and text that can be stored" },
    { name: "session", about: "a message's SMTP session" },
    { name: "headers", about: "header fields: addresses, dates, Received lines, and earlier verdicts" },
    { name: "mime", about: "the MIME tree, bodies, attachments, and file types" },
    { name: "urls", about: "web addresses and known trackers" },
    { name: "html", about: "the HTML part: tree, computed style, visible text, and safe HTML" },
    { name: "links", about: "links, images, trackers, and unsubscribe links" },
    { name: "signing", about: "DKIM body hashes, and signing mail that Assay sends" },
    { name: "forwarding", about: "what servers do to a message that they pass on, done to a copy" },
    { name: "reports", about: "DMARC aggregate and TLS reports, and the classes of mail" },
    { name: "bounces", about: "distinguishes bounces, complaints, and reports from tests" },
  ],
  store: [
    { name: "schema", about: "the tables as types" },
    { name: "engine", about: "SQLite driver, write queue, and group commit: see its [README](store/engine/README.md)" },
    { name: "migrations", about: "the schema, one migration after the other" },
    { name: "search", about: "full-text search on both databases" },
    { name: "mail-reports", about: "DMARC and TLS reports" },
    { name: "feedback", about: "what reports, bounces and complaints show about a domain, and its problems" },
    { name: "tests", about: "tests, with their raw messages and reports" },
    { name: "intake", about: "inserts received messages" },
    { name: "rollups", about: "dashboard totals, maintained by the database" },
    { name: "domains", about: "monitored domains and known senders" },
    { name: "alerts", about: "webhooks and the outbox of deliveries" },
    { name: "mailboxes", about: "seed mailboxes, their observations, and calibration" },
    { name: "sending", about: "seed inboxes and sent samples" },
    { name: "people", about: "users, sessions, tokens, workspaces, and shares" },
    { name: "rehearsal", about: "rehearsals and their attempts" },
    { name: "monitors", about: "monitors and their runs" },
    { name: "hooks", about: "webhooks that providers call, and what they report" },
    { name: "audit", about: "the audit log: records changes in their own transactions, and verifies" },
    { name: "copies", about: "complete copies of the database, from and to either kind" },
  ],
  tasks: [
    { name: "audit", about: "failed logins, retention, and syslog for the audit log" },
    { name: "readiness", about: "what the server can do now: room for mail, a full disk, and what waits under load" },
    { name: "events", about: "notifies listeners of events in a workspace" },
    { name: "removal", about: "deletes tests in small steps" },
    { name: "analysis", about: "the analysis of a message or domain, and the threads that run it" },
    { name: "billing", about: "plans, limits, and the payment provider" },
    { name: "intake", about: "stores received messages" },
    { name: "oauth", about: "OAuth clients and access tokens" },
    { name: "mailboxes", about: "watches seed mailboxes over IMAP" },
    { name: "alerts", about: "raises alerts and delivers them" },
    { name: "feedback", about: "evaluates reports, bounces and complaints, and raises alerts" },
    { name: "connections", about: "integrations that use OAuth" },
    { name: "monitors", about: "watches canaries and expected mail" },
    { name: "tests", about: "the analysis queue, and test data for pages" },
    { name: "hooks", about: "receives the webhooks of email providers" },
    { name: "domains", about: "checks monitored domains every hour" },
    { name: "sending", about: "sends samples and signs them" },
    { name: "rehearsal", about: "answers mail to rehearsal addresses as receivers would, and probes senders" },
    { name: "accounts", about: "setup, login, members, tokens, shares, and workspaces" },
    { name: "oidc", about: "login at an organization's issuer, its roles, and logout" },
    { name: "upkeep", about: "retention and recurring chores" },
    { name: "backups", about: "scheduled backups, restoring them, and moving workspaces" },
    { name: "doctor", about: "the server check" },
  ],
};

/** Packages that only one place may use: a path, or its beginning. */
export const doors: Readonly<Record<string, readonly string[]>> = {
  "@modelcontextprotocol/sdk": ["mcp/", "cli/mcp.ts"],
  "age-encryption": ["system/age.ts"],
  aws4fetch: ["system/object-s3.ts"],
  "better-sqlite3": ["store/"],
  croner: ["tasks/"],
  "dns-packet": ["system/"],
  h3: ["http/"],
  htmlparser2: ["mail/html/tree.ts", "mail/html/references.ts"],
  imapflow: ["tasks/"],
  "ipaddr.js": ["addresses.ts", "setting-kinds.ts", "http/client-address.ts"],
  kysely: ["store/"],
  mailauth: ["second-reader/"],
  mailparser: ["mail/mime/rare-charsets.ts", "second-reader/"],
  marked: ["handbook/"],
  nodemailer: ["tasks/"],
  jose: ["tasks/oidc/log-out.ts"],
  "openid-client": ["tasks/oauth/", "tasks/oidc/"],
  pg: ["store/"],
  preact: ["web/"],
  "@simplewebauthn/server": ["tasks/accounts/passkeys.ts"],
  uqr: ["web/settings/"],
  "preact-render-to-string": ["web/report/static.tsx"],
  "prom-client": ["http/"],
  "smtp-server": ["smtp/"],
  stripe: ["tasks/billing/payments.ts"],
  tldts: ["mail/", "facts/listed-domains.ts"],
  zod: ["api/", "http/", "mcp/", "signed-reports/"],
};

/**
 * Files that a room must not load at run time, not even through others. Importing their types is allowed. A serializer
 * gets the catalog of checks from its caller as an argument.
 */
const notLoadedBy: Readonly<Record<string, readonly string[]>> = { api: ["checks/list.ts", "checks/tallies/list.ts"] };

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
    ...(room.layer === "pure" ? (words.match(effects) ?? []).map((effect) => `${effect} in a pure room`) : []),
    ...(/^export default\b/m.test(code) ? ["has a default export"] : []),
    ...(/^export \*/m.test(code) ? ["is a barrel (export *)"] : []),
    ...(/^import "/m.test(code) ? ["imports for a side effect"] : []),
    ...(vagueFolder.test(file.path) ? ["is in a folder with a meaningless name"] : []),
    ...(lineCount(file.text) > maxLines && !tables.test(file.path) ? [`has more than ${maxLines} lines`] : []),
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
  if (room.layer === "edge" && other.layer === "edge") return `imports ${name}: edges never import one another`;
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
  return [...code.matchAll(pattern)].flatMap(([, ...targets]) => targets.filter((target) => target !== undefined));
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
  return text.replace(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string?: string) => string ?? "");
}

function lineCount(text: string): number {
  return text.trimEnd().split("\n").length;
}

if (import.meta.main) {
  const problems = findProblems(readSources(join(import.meta.dirname, "..", "src")));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
