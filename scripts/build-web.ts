// node scripts/build-web.ts <folder>: the web app as static files. Each has its hash in its name, so that a browser may
// keep it for ever; only the shell, which names them, has none. What compresses lies there compressed as well, because
// that takes longer than a request should.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "tsup";

export async function buildWeb(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await build({
    entry: { app: "src/web/main.tsx", style: "src/web/style/style.css" },
    tsconfig: "src/web/tsconfig.json",
    config: false,
    outDir: folder,
    format: "esm",
    platform: "browser",
    // The first browsers with light-dark(), which the style stands on.
    target: ["chrome123", "firefox120", "safari17.5"],
    noExternal: [/.*/],
    splitting: true,
    minify: true,
    treeshake: false,
    silent: true,
    outExtension: () => ({ js: ".js" }),
    esbuildOptions: (options) => {
      options.entryNames = "[name]-[hash]";
      options.chunkNames = "[name]-[hash]";
      options.legalComments = "none";
      options.jsx = "automatic";
      options.jsxImportSource = "preact";
    },
  });
  const names = readdirSync(folder);
  const named = (pattern: RegExp) => names.find((name) => pattern.test(name)) ?? "";
  const shell = readFileSync("src/web/shell.html", "utf8")
    .replace("{style}", `/assets/${named(/^style-.*\.css$/)}`)
    .replace("{script}", `/assets/${named(/^app-.*\.js$/)}`)
    .replace("{chunks}", toPreloads(listStatic(folder, named(/^app-.*\.js$/))))
    .replace(/>\s+</g, "><");
  writeFileSync(join(folder, "index.html"), shell);
  for (const name of readdirSync(folder)) compress(join(folder, name));
}

/** What a script needs before it can begin, and what that needs. */
function listStatic(folder: string, script: string, known = new Set<string>()): ReadonlySet<string> {
  const text = readFileSync(join(folder, script), "utf8");
  for (const [, name = ""] of text.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)) {
    if (known.has(name)) continue;
    known.add(name);
    listStatic(folder, name, known);
  }
  return known;
}

/** Or the browser would learn of them one behind the other. */
function toPreloads(names: ReadonlySet<string>): string {
  return [...names].map((name) => `<link rel="modulepreload" href="/assets/${name}">`).join("\n");
}

function compress(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(bytes));
}

if (import.meta.main) await buildWeb(process.argv[2] ?? join("dist", "web"));
