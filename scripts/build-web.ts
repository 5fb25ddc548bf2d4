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
    splitting: false,
    minify: true,
    treeshake: false,
    silent: true,
    outExtension: () => ({ js: ".js" }),
    esbuildOptions: (options) => {
      options.entryNames = "[name]-[hash]";
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
    .replace(/>\s+</g, "><");
  writeFileSync(join(folder, "index.html"), shell);
  for (const name of readdirSync(folder)) compress(join(folder, name));
}

function compress(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(bytes));
}

if (import.meta.main) await buildWeb(process.argv[2] ?? join("dist", "web"));
