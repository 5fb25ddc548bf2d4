// node scripts/build-web.ts <folder>: builds the web app as static files. Each has its hash in its name, so that
// browsers may cache it forever. Only the shell, which refers to them, has none. Compressible files are also stored
// compressed, because compressing takes too long for a request. Next to them are the files for rendering reports on the
// server: the components as one CommonJS file, their style and their icons (src/http/report-page.ts).

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build, type Options } from "tsup";

const shared = {
  tsconfig: "src/web/tsconfig.json",
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

async function buildApp(folder: string): Promise<void> {
  await build({
    ...shared,
    // For pages that are loaded when they are opened (web/later-pages.tsx).
    splitting: true,
    entry: { app: "src/web/main.tsx", style: "src/web/style/style.css" },
    outDir: folder,
    format: "esm",
    platform: "browser",
    target: browsers,
    outExtension: () => ({ js: ".js" }),
    esbuildOptions: (options) => {
      setUp(options, "true");
      options.entryNames = "[name]-[hash]";
      options.chunkNames = "[name]-[hash]";
    },
  });
}

/** For the handbook. Apart from the app, because files that they share would be further files of the first page. */
async function buildTryIt(folder: string): Promise<void> {
  await build({
    ...shared,
    entry: { "try-it": "src/web/docs/try-it.ts" },
    outDir: folder,
    format: "esm",
    platform: "browser",
    target: browsers,
    outExtension: () => ({ js: ".js" }),
    esbuildOptions: (options) => {
      setUp(options, "true");
      options.entryNames = "[name]-[hash]";
    },
  });
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
  await build({
    ...shared,
    entry: { "report-page": "src/web/style/report.css" },
    outDir: folder,
    target: browsers,
  });
}

export async function buildWeb(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await buildApp(folder);
  await buildTryIt(folder);
  await buildReportPage(folder);
  const icons = readFileSync("src/web/icons.svg", "utf8").trim();
  writeFileSync(join(folder, "report-page.svg"), icons);
  const names = readdirSync(folder);
  const named = (pattern: RegExp) => names.find((name) => pattern.test(name)) ?? "";
  const script = named(/^app-.*\.js$/);
  // The browser would otherwise learn of them only from the script.
  const preload = listImports(folder, script)
    .map((name) => `<link rel="modulepreload" href="/assets/${name}">`)
    .join("");
  const shell = readFileSync("src/web/shell.html", "utf8")
    .replace("{icons}", icons)
    .replace("{style}", `/assets/${named(/^style-.*\.css$/)}`)
    .replace("{script}", `/assets/${script}`)
    .replace("{preload}", preload)
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
    for (const [, other = ""] of readFileSync(join(folder, name), "utf8").matchAll(imported))
      found.add(other);
  found.delete(script);
  return [...found];
}

function compress(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(bytes));
}

if (import.meta.main) await buildWeb(process.argv[2] ?? join("dist", "web"));
