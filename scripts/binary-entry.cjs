// What the single binary and each of its threads run first: it loads the parts of the bundle from memory, with the
// functions that a start needs compiled already (warm-code.ts, which runs this over a folder instead).
// Plain CommonJS, because it is embedded as it is.

const { readFileSync } = require("node:fs");
const { createRequire, wrap } = require("node:module");
const { dirname, join } = require("node:path");
const { getAssetKeys, getRawAsset, isSea } = require("node:sea");
const { Script } = require("node:vm");
const { isMainThread, threadName } = require("node:worker_threads");

const folder = dirname(isSea() ? process.execPath : process.argv[1]);
const read = isSea() ? (name) => Buffer.from(getRawAsset(name)) : (name) => readFileSync(join(folder, name));
// Another processor's build has none; one that does not fit is passed over by V8.
const compiled = new Set(isSea() ? getAssetKeys().filter((name) => name.endsWith(".code")) : []);
const requireOther = createRequire(join(folder, "main.cjs"));
const parts = new Map();

function load(id) {
  if (!id.startsWith("./")) return requireOther(id);
  const name = id.slice(2);
  const known = parts.get(name);
  if (known) return known.module.exports;
  const code = `${name}.code`;
  const script = new Script(wrap(read(name).toString("latin1")), {
    filename: name,
    cachedData: compiled.has(code) ? read(code) : undefined,
  });
  const module = { exports: {} };
  parts.set(name, { script, module });
  script.runInThisContext()(module.exports, load, module, join(folder, name), folder);
  return module.exports;
}

exports.parts = parts;
load(isMainThread ? "./main.cjs" : `./${threadName}.cjs`);
