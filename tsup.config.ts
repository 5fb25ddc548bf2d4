// Two forms of one bundle: dist/ for a checkout, and the single binary.
// CommonJS, because the packages inside call require, and it starts faster than ES modules in the binary.
// SQLite's addon is a file beside its package, so dist/ leaves that package out; the binary carries the addon as an asset.

import { existsSync } from "node:fs";
import { defineConfig, type Options } from "tsup";

const entries = {
  main: "src/main.ts",
  worker: "src/features/tests/analysis/worker.ts",
  "reading-thread": "src/features/tests/rows/reading-thread.ts",
  "backup-thread": "src/features/backups/work/thread.ts",
  "mailbox-thread": "src/features/mailboxes/work/thread.ts",
  "upgrade-thread": "src/platform/system/upgrade-thread.ts",
};

export function bundle(form: "checkout" | "binary"): Options {
  const isBinary = form === "binary";
  return {
    entry: Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(file))),
    format: "cjs",
    target: "node26",
    platform: "node",
    outExtension: () => ({ js: ".cjs" }),
    noExternal: isBinary ? [/.*/] : [/^(?!better-sqlite3($|\/))/],
    // tsup would turn node:sea into sea, which does not exist.
    removeNodeProtocol: false,
    splitting: false,
    sourcemap: true,
    // Identifiers stay, so that a stack trace of the binary can be read.
    minifyWhitespace: isBinary,
    minifySyntax: isBinary,
    esbuildOptions: (options) => {
      options.charset = "ascii";
    },
    plugins: [asciiOnly],
    silent: true,
  };
}

/**
 * Escapes what esbuild leaves, which is only in regular expressions and comments. With a single other character, V8 takes
 * two bytes for each of the source, in every thread.
 */
const asciiOnly: NonNullable<Options["plugins"]>[number] = {
  name: "ascii-only",
  renderChunk: (code) => ({ code: code.replace(/[^\0-\x7f]/g, toEscape) }),
};

function toEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

export default defineConfig(bundle("checkout"));
