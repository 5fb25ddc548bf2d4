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
    // Sections that few people open are files of their own (web/parts/lazy.tsx).
    splitting: true,
    entry: { app: "src/web/main.tsx", style: "src/web/style/style.css", "try-it": "src/web/docs/try-it.ts" },
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
  await buildReportPage(folder);
  const icons = readFileSync("src/web/icons.svg", "utf8").trim();
  writeFileSync(join(folder, "report-page.svg"), icons);
  const names = readdirSync(folder);
  const named = (pattern: RegExp) => names.find((name) => pattern.test(name)) ?? "";
  const shell = readFileSync("src/web/shell.html", "utf8")
    .replace("{icons}", icons)
    .replace("{style}", `/assets/${named(/^style-.*\.css$/)}`)
    .replace("{script}", `/assets/${named(/^app-.*\.js$/)}`)
    .replace("{shared}", toPreloads(readFileSync(join(folder, named(/^app-.*\.js$/)), "utf8")))
    .replace(/>\s+</g, "><");
  writeFileSync(join(folder, "index.html"), shell);
  for (const name of readdirSync(folder)) compress(join(folder, name));
}

/** Files that the app needs at once. Named in the shell, so that none waits for another. */
function toPreloads(app: string): string {
  const names = [...app.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)].map(([, name = ""]) => name);
  return [...new Set(names)].map((name) => `<link rel="modulepreload" href="/assets/${name}">`).join("");
}

function compress(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(bytes));
}

if (import.meta.main) await buildWeb(process.argv[2] ?? join("dist", "web"));
