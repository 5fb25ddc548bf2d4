// node scripts/build-web.ts <folder>: builds the web app as static files. Each has its hash in its name, so that
// browsers may cache it forever. Only the shell, which refers to them, has none. Compressible files are also stored
// compressed, because compressing takes too long for a request. Next to them are the files for rendering reports on the
// server: the components as one CommonJS file, their style and their icons (src/features/tests/routes/report-page.ts).

import { hash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build, type Options } from "tsup";

const shared = {
  tsconfig: "tsconfig.json",
  config: false,
  noExternal: [/.*/],
  splitting: false,
  minify: true,
  treeshake: false,
  silent: true,
} satisfies Options;

type EsbuildOptions = Parameters<NonNullable<Options["esbuildOptions"]>>[0];

/** `document` is what the bundle sees of one (web/parts/static.ts). */
function setUp(options: EsbuildOptions, document: "true" | "undefined"): void {
  options.legalComments = "none";
  options.jsx = "automatic";
  options.jsxImportSource = "preact";
  options.define = { ...options.define, "globalThis.document": document };
}

// The first browsers with light-dark(), which the styles need.
const browsers = ["chrome123", "firefox120", "safari17.5"];

const forBrowsers = {
  ...shared,
  format: "esm",
  platform: "browser",
  target: browsers,
  outExtension: () => ({ js: ".js" }),
} satisfies Options;

async function buildApp(folder: string): Promise<void> {
  await build({
    ...forBrowsers,
    // For pages that are loaded when they are opened (web/later-pages.tsx).
    splitting: true,
    entry: { app: "src/web/main.tsx", style: "src/web/style/style.css" },
    outDir: folder,
    esbuildOptions: (options) => {
      setUp(options, "true");
      options.entryNames = "[name]-[hash]";
      options.chunkNames = "[name]-[hash]";
    },
  });
}

/**
 * What the app and the later pages share becomes a file of its own. It is put back into the app's file, because the first
 * page would wait for one more request, and the later pages import it from there.
 */
async function joinShared(folder: string): Promise<void> {
  const names = readdirSync(folder);
  const [app = "", later = ""] = ["app-", "later-pages-"].map((beginning) =>
    names.find((name) => name.startsWith(beginning) && name.endsWith(".js")),
  );
  const [chunk = "", ...others] = listImports(folder, app);
  if (chunk === "" || others.length > 0) throw new Error(`The app has ${others.length + 1} shared files.`);
  const entry = join(folder, "joined.mjs");
  writeFileSync(entry, `export * from "./${chunk}"; import "./${app}";`);
  await build({
    ...forBrowsers,
    entry: { joined: entry },
    outDir: folder,
    esbuildOptions: (options) => {
      setUp(options, "true");
      options.external = [`./${later}`];
    },
  });
  const texts = [join(folder, "joined.js"), join(folder, later)].map((file) => readFileSync(file, "utf8"));
  const [joined = "", pages = ""] = texts;
  // Each names the other, so they have one hash.
  const version = hash("sha256", joined + pages)
    .slice(0, 8)
    .toUpperCase();
  writeFileSync(join(folder, `app-${version}.js`), joined.replaceAll(later, `later-pages-${version}.js`));
  writeFileSync(join(folder, `later-pages-${version}.js`), pages.replaceAll(chunk, `app-${version}.js`));
  for (const name of [app, later, chunk, "joined.mjs", "joined.js"]) rmSync(join(folder, name));
}

async function buildReportPage(folder: string): Promise<void> {
  await build({
    ...shared,
    entry: { "report-page": "src/web/report/static.tsx" },
    outDir: folder,
    format: "cjs",
    platform: "node",
    target: "node26",
    outExtension: () => ({ js: ".cjs" }),
    esbuildOptions: (options) => setUp(options, "undefined"),
  });
  await build({ ...shared, entry: { "report-page": "src/web/style/report.css" }, outDir: folder, target: browsers });
}

/** Each is one file without imports, at an address that stays (src/features/public-tests). */
async function buildPublicScripts(folder: string): Promise<void> {
  await build({
    ...forBrowsers,
    format: "iife",
    entry: {
      "public-page": "src/features/public-tests/script/page.ts",
      "public-widget": "src/features/public-tests/script/widget.ts",
    },
    outDir: folder,
    esbuildOptions: (options) => setUp(options, "true"),
  });
}

export async function buildWeb(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await buildApp(folder);
  await joinShared(folder);
  await buildReportPage(folder);
  await buildPublicScripts(folder);
  const icons = readFileSync("src/web/icons.svg", "utf8").trim();
  writeFileSync(join(folder, "report-page.svg"), icons);
  const names = readdirSync(folder);
  const named = (pattern: RegExp) => names.find((name) => pattern.test(name)) ?? "";
  const shell = readFileSync("src/web/shell.html", "utf8")
    .replace("{icons}", icons)
    .replace("{style}", `/assets/${named(/^style-.*\.css$/)}`)
    .replace("{script}", `/assets/${named(/^app-.*\.js$/)}`)
    .replace(/>\s+</g, "><");
  writeFileSync(join(folder, "index.html"), shell);
  for (const name of readdirSync(folder)) compress(join(folder, name));
}

const imported = /(?:from|import)\s*"\.\/([\w-]+\.js)"/g;

/** What a script needs before it runs, without what it loads later. */
function listImports(folder: string, script: string): readonly string[] {
  const found = new Set([script]);
  // A set that grows is walked to its new end.
  for (const name of found)
    for (const [, other = ""] of readFileSync(join(folder, name), "utf8").matchAll(imported)) found.add(other);
  found.delete(script);
  return [...found];
}

function compress(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(bytes));
}

if (import.meta.main) await buildWeb(process.argv[2] ?? join("dist", "web"));
