// The law of imports: four buildings, one direction, no circles. scripts/docs.ts writes the map in src/README.md from the
// table below and from the first line of each feature. Reads text, not syntax trees, because the formatter leaves only
// one way to write an import.

import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative } from "node:path";

export type SourceFile = { readonly path: string; readonly text: string };

/** In their order: a building imports from itself and from those before it. Web and features share the third place. */
export const buildings: readonly { readonly name: string; readonly about: string }[] = [
  { name: "analyzer", about: "what is true of a message or a domain, and what to do about it; imports nothing else" },
  { name: "platform", about: "what any server needs: settings, database, work, HTTP, audit, command line" },
  { name: "handbook", about: "the pages at /docs" },
  { name: "features", about: "what people use, a folder each" },
  { name: "web", about: "the shell of the web app, its parts and style, and the report" },
  { name: "server.ts", about: "the list of features, and the loop that connects them" },
  { name: "commands.ts", about: "the list of commands" },
  { name: "main.ts", about: "runs the command of the arguments; only this file uses `process`" },
];

/** Nothing else imports them. */
const wiring = ["commands.ts", "server.ts", "main.ts"];

/** The analyzer's parts that ask its world for facts. The others compute. */
const asking =
  /^analyzer\/(?:facts|second-reader)\/|^analyzer\/(?:world|analyze-message|check-domain|evidence-source|propose-records|forward-message)\.ts$/;
/** What computes, without I/O, a clock, or randomness. The web app imports nothing else of the server. */
const pure =
  /^analyzer\/|^handbook\/|^platform\/[^/]+\.ts$|^platform\/(?:contract|settings|audit\/rules)\/|^features\/[^/]+\/(?:contract|rules|words|formats)(?:\/|\.ts$)/;
const notPure = /^platform\/(?:server|route)\.ts$/;

/** Code for browsers. The server renders reports with the same. */
const inBrowser = /^web\/|^features\/[^/]+\/page(?:\/|\.tsx?$)/;

/** Files that the web app must not load at run time, not even through others. Importing their types is allowed. */
const tooLargeForWeb = ["analyzer/checks/list.ts", "analyzer/checks/tallies/list.ts"];

/**
 * How many imports reach into another feature past its index.ts, contract, rules, and words. The plan is none. Lower it
 * with each that goes.
 */
const mostDeepImports = 429;

/** Packages that only some places may use: a path, or its beginning. */
export const doors: Readonly<Record<string, readonly string[]>> = {
  "@modelcontextprotocol/sdk": ["features/mcp/"],
  "@simplewebauthn/server": ["features/people/work/passkeys.ts"],
  "age-encryption": ["platform/system/age.ts"],
  aws4fetch: ["platform/system/object-s3.ts"],
  "better-sqlite3": ["platform/database/"],
  croner: ["features/monitors/work/", "platform/work/"],
  "dns-packet": ["platform/system/"],
  h3: ["platform/http/"],
  htmlparser2: ["analyzer/mail/html/tree.ts", "analyzer/mail/html/references.ts"],
  imapflow: ["features/mailboxes/work/"],
  "ipaddr.js": ["analyzer/", "platform/settings/", "platform/http/client-address.ts"],
  jose: ["features/oidc/work/log-out.ts"],
  kysely: ["platform/", "features/"],
  mailauth: ["analyzer/second-reader/"],
  mailparser: ["analyzer/mail/mime/rare-charsets.ts", "analyzer/second-reader/"],
  marked: ["handbook/"],
  nodemailer: ["features/sending/work/", "features/monitors/work/", "features/unsubscribe/work/"],
  "openid-client": ["features/mailboxes/oauth/", "features/oidc/work/", "platform/system/oauth-failure.ts"],
  pg: ["platform/database/"],
  preact: ["web/", "features/"],
  "preact-render-to-string": ["web/report/static.tsx"],
  "prom-client": ["features/server/metrics/"],
  "smtp-server": ["features/intake/smtp/"],
  stripe: ["features/billing/work/payments.ts"],
  tldts: ["analyzer/"],
  uqr: ["features/people/page/"],
  zod: ["platform/", "features/"],
};

const pureBuiltins = /^node:(?:buffer|crypto|net|path|querystring|string_decoder|url|util|zlib)$/;
const effects =
  /\bDate\.now\(|\bnew Date\(\s*\)|\bperformance\.now\(|\bMath\.random\(|\brandom(Bytes|UUID|Int)\(|\bgetRandomValues\(|\bset(Timeout|Interval|Immediate)\(|\bfetch\(|\bprocess\.|\bglobalThis\b/g;
const vagueFolder = /(?:^|\/)(?:utils?|helpers?|common|services?|managers?|types|misc)\//;

type Import = { readonly from: string; readonly to: string; readonly isType: boolean };

export function findProblems(files: readonly SourceFile[]): string[] {
  const imports = files.flatMap(listImports);
  const deep = imports.filter(isDeep);
  return [
    ...files.flatMap((file) => problemsOf(file).map((problem) => `src/${file.path}: ${problem}`)),
    ...imports.flatMap((one) => importProblems(one).map((problem) => `src/${one.from}: ${problem}`)),
    ...(deep.length > mostDeepImports
      ? [
          `${deep.length} imports reach into another feature, ${mostDeepImports} at most. The last: ${deep.at(-1)?.from} imports ${deep.at(-1)?.to}`,
        ]
      : []),
    ...findCircles(imports),
    ...problemsOfLoading(imports),
  ];
}

function isPure(path: string): boolean {
  return pure.test(path) && !asking.test(path) && !notPure.test(path);
}

function importProblems({ from, to }: Import): string[] {
  const [own, other] = [rankOf(from), rankOf(to)];
  if (other < 0) return [`imports ${to}, which is in no building`];
  return [
    ...(other > own ? [`imports ${to}, which is above ${buildingOf(from)}`] : []),
    ...(wiring.includes(to) && !wiring.includes(from) ? [`imports ${to}, which only connects`] : []),
    ...(isPure(from) && !isPure(to) ? [`computes, but imports ${to}, which doesn't`] : []),
    ...(inBrowser.test(from) && !inBrowser.test(to) && !isPure(to)
      ? [`is for browsers, but imports ${to}, which isn't`]
      : []),
    ...(!inBrowser.test(from) && inBrowser.test(to) ? [`imports ${to}, which is for browsers`] : []),
  ];
}

function buildingOf(path: string): string {
  return path.split("/")[0] ?? "";
}

/** Features and the web app share a place: pages use its parts, and the report uses the contracts. */
function rankOf(path: string): number {
  const rank = buildings.findIndex(({ name }) => name === buildingOf(path));
  return buildings[rank]?.name === "web" ? rank - 1 : rank;
}

/** `features/alerts/work/raise.ts`: alerts. */
function featureOf(path: string): string | undefined {
  return /^features\/([^/]+)\//.exec(path)?.[1];
}

function isDeep({ from, to }: Import): boolean {
  const [own, other] = [featureOf(from), featureOf(to)];
  if (own === undefined || other === undefined || own === other) return false;
  return !isPure(to) && !to.endsWith("/index.ts") && !inBrowser.test(from);
}

/** At run time no circle at all; of types none through several folders. */
function findCircles(imports: readonly Import[]): string[] {
  const circles = [
    ...listCircles(imports.filter(({ isType }) => !isType)),
    ...listCircles(imports).filter((files) => new Set(files.map((file) => posix.dirname(file))).size > 1),
  ];
  return [...new Set(circles.map((files) => `A circle of imports: ${files.toSorted().join(", ")}`))];
}

/** Files that reach one another, each list with more than one. */
function listCircles(imports: readonly Import[]): string[][] {
  const next = Map.groupBy(imports, ({ from }) => from);
  const before = Map.groupBy(imports, ({ to }) => to);
  const ended: string[] = [];
  const seen = new Set<string>();
  const follow = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { to } of next.get(file) ?? []) follow(to);
    ended.push(file);
  };
  for (const file of next.keys()) follow(file);
  // Kosaraju: backwards from the file that ended last, everything that is reached belongs to its circle.
  const placed = new Set<string>();
  const collect = (file: string): string[] => {
    if (placed.has(file)) return [];
    placed.add(file);
    return [file, ...(before.get(file) ?? []).flatMap(({ from }) => collect(from))];
  };
  return ended
    .toReversed()
    .map(collect)
    .filter(({ length }) => length > 1);
}

function problemsOfLoading(imports: readonly Import[]): string[] {
  const loads = Map.groupBy(
    imports.filter(({ isType }) => !isType),
    ({ from }) => from,
  );
  const reached = new Map<string, string>();
  const waiting = [...loads.keys()].filter((file) => inBrowser.test(file));
  for (const file of waiting) {
    for (const { to } of loads.get(file) ?? []) {
      if (reached.has(to)) continue;
      reached.set(to, file);
      waiting.push(to);
    }
  }
  return tooLargeForWeb.flatMap((file) =>
    reached.has(file) ? [`src/${reached.get(file)}: loads ${file} in browsers`] : [],
  );
}

function problemsOf(file: SourceFile): string[] {
  const code = withoutComments(file.text);
  const words = code.replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
  const packages = importsOf(code).filter((target) => !target.startsWith("."));
  return [
    ...packages.flatMap((target) => packageProblem(file.path, target)),
    ...(isPure(file.path) ? (words.match(effects) ?? []).map((effect) => `computes, but has ${effect}`) : []),
    ...(/^export default\b/m.test(code) ? ["has a default export"] : []),
    ...(/^export \*/m.test(code) ? ["is a barrel (export *)"] : []),
    ...(/^import "/m.test(code) ? ["imports for a side effect"] : []),
    ...(vagueFolder.test(file.path) ? ["is in a folder with a meaningless name"] : []),
  ];
}

function packageProblem(path: string, target: string): string[] {
  if (target.startsWith("node:"))
    return isPure(path) && !pureBuiltins.test(target) ? [`computes, but imports ${target}`] : [];
  const name = target.split("/", target.startsWith("@") ? 2 : 1).join("/");
  const allowed = doors[name];
  if (!allowed || allowed.some((door) => path.startsWith(door))) return [];
  return [`imports ${name}, which only ${allowed.join(" or ")} may use`];
}

function listImports({ path, text }: SourceFile): Import[] {
  const code = withoutComments(text);
  const loaded = importsOf(code.replace(/^(?:import|export) type\b[^;]*;/gm, ""));
  return importsOf(code)
    .filter((target) => /^\..*\.tsx?$/.test(target))
    .map((target) => ({ from: path, to: posix.join(posix.dirname(path), target), isType: !loaded.includes(target) }));
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

/** Strings are matched first, so that the slashes of a URL don't begin a comment. */
function withoutComments(text: string): string {
  return text.replace(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string?: string) => string ?? "");
}

if (import.meta.main) {
  const problems = findProblems(readSources(join(import.meta.dirname, "..", "src")));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
