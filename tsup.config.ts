// Two forms of one bundle: dist/ for a checkout, and the single binary.
// The code is split where the program imports something when it is first used, so that a server at rest neither holds nor
// parses what it never needs. What several parts share is a file that they share.
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
    format: "esm",
    target: "node26",
    platform: "node",
    outExtension: () => ({ js: ".cjs" }),
    noExternal: isBinary ? [/.*/] : [/^(?!better-sqlite3($|\/))/],
    // tsup would turn node:sea into sea, which does not exist.
    removeNodeProtocol: false,
    splitting: true,
    esbuildOptions: (options) => {
      Object.assign(options, written);
      options.define = { ...options.define, "import.meta.filename": "__filename", "import.meta.dirname": "__dirname" };
    },
    esbuildPlugins: [keepTransform, withoutBimi],
    plugins: [asCommonJs, asciiOnly],
    silent: true,
  };
}

/** Identifiers stay, so that a stack trace can be read without a source map. Whitespace would be a third of what V8 keeps. */
const written = { charset: "ascii", minifyWhitespace: true, minifySyntax: true } as const;

type Plugin = NonNullable<Options["plugins"]>[number];
type EsbuildPlugin = NonNullable<Options["esbuildPlugins"]>[number];

let transform: Parameters<EsbuildPlugin["setup"]>[0]["esbuild"]["transform"];
const keepTransform: EsbuildPlugin = {
  name: "keep-transform",
  setup: ({ esbuild }) => {
    transform = esbuild.transform;
  },
};

/** Assay has its own BIMI. mailauth's would bring a second HTTP client, a validator of objects, and an XML parser. */
const withoutBimi: EsbuildPlugin = {
  name: "without-bimi",
  setup: ({ onLoad }) => onLoad({ filter: /\/mailauth\/lib\/bimi\/[^/]+\.js$/ }, () => ({ contents: "" })),
};

/**
 * esbuild splits only ES modules. These become CommonJS afterwards, because the packages inside call require, and the
 * binary can only run that from memory.
 */
const asCommonJs: Plugin = {
  name: "as-common-js",
  renderChunk: (code) =>
    transform(code, { ...written, format: "cjs", target: "node26", supported: { "dynamic-import": false } }),
};

/**
 * Escapes what esbuild leaves, which is only in regular expressions and comments. With a single other character, V8 takes
 * two bytes for each of the source, in every thread.
 */
const asciiOnly: Plugin = {
  name: "ascii-only",
  renderChunk: (code) => ({ code: code.replace(/[^\0-\x7f]/g, toEscape) }),
};

function toEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

export default defineConfig(bundle("checkout"));
