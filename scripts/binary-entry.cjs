// What the single binary runs first: the bundle, with the functions that a start needs compiled already (warm-code.ts).
// Plain CommonJS, because it is embedded as it is.

const { createRequire } = require("node:module");
const { getRawAsset, getAssetKeys } = require("node:sea");
const { Script, constants } = require("node:vm");

const wrapped = Buffer.from(getRawAsset("main.wrapped")).toString("latin1");
// Another processor's build has none; one that does not fit is passed over by V8.
const cachedData = getAssetKeys().includes("main.code") ? Buffer.from(getRawAsset("main.code")) : undefined;
const script = new Script(wrapped, {
  filename: "main.cjs",
  cachedData,
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
script.runInThisContext()(exports, createRequire(process.execPath), module, process.execPath, process.cwd());
