// The files that the program brings along (the SQLite addon, the code of its threads), for its three forms: from source, as a
// bundle (dist/*.cjs), and as one binary with everything embedded. The addon is unpacked into the data directory and never
// into a shared temporary folder, where another user could replace it with other code.

import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { getAssetKeys, getRawAsset, isSea } from "node:sea";
import { type ResourceLimits, Worker } from "node:worker_threads";
import { Refusal } from "../errors.ts";
import { fileReasons } from "./private-file.ts";

const threadSources = {
  "backup-thread": "../../features/backups/work/thread.ts",
  "mailbox-thread": "../../features/mailboxes/work/thread.ts",
  "reading-thread": "../../features/tests/rows/reading-thread.ts",
  "upgrade-thread": "./upgrade-thread.ts",
  worker: "../../features/tests/analysis/worker.ts",
};
type ThreadName = keyof typeof threadSources;

const isSource = import.meta.filename.endsWith(".ts");
const addonName = "better_sqlite3.node";

/** An asset of the binary. Undefined in the other forms. */
export function readAsset(name: string): Uint8Array | undefined {
  return isSea() ? new Uint8Array(getRawAsset(name)) : undefined;
}

/** The files of the web app by name, as written by scripts/build-web.ts. Empty if it was not built. */
export function readWebFiles(): ReadonlyMap<string, Uint8Array> {
  return readFiles("web/", "../../../dist/web/");
}

/** `name`: the folder among the assets and beside the bundle. `source`: where it is when we run from source. */
function readFiles(name: string, source: string): ReadonlyMap<string, Uint8Array> {
  if (isSea()) {
    const keys = getAssetKeys().filter((key) => key.startsWith(name));
    return new Map(keys.map((key) => [key.slice(name.length), new Uint8Array(getRawAsset(key))]));
  }
  const folder = join(import.meta.dirname, isSource ? source : name);
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(files.map((entry) => [entry.name, readFileSync(join(folder, entry.name))]));
}

/** The handbook's pages and images by their names. */
export function readHandbookFiles(): ReadonlyMap<string, Uint8Array> {
  return readFiles("handbook/", "../../handbook/");
}

/** The path of the SQLite addon. Undefined: the package finds its own. */
export function unpackAddon(dataDir: string): string | undefined {
  const embedded = readAsset(addonName);
  if (embedded) return unpack(join(dataDir, "native"), addonName, embedded);
  const beside = join(import.meta.dirname, addonName);
  return existsSync(beside) ? beside : undefined;
}

/** Writes the file under a name that contains its hash. An existing file is used only if its hash is right. */
export function unpack(folder: string, name: string, bytes: Uint8Array): string {
  const hash = sha256(bytes);
  const file = join(folder, name.replace(/(\.[^.]*)?$/, `-${hash}$1`));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    if (!existsSync(file) || sha256(readFileSync(file)) !== hash) putWhole(file, bytes);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    throw new Refusal("conflict", `${name} cannot be unpacked to ${folder}: ${reasons[code] ?? code}.`);
  }
  return file;
}

const reasons: Readonly<Record<string, string>> = { ...fileReasons, EEXIST: "it is a file" };

/** Files of other versions stay, because a process that runs one loads it again for each of its threads. */
function putWhole(file: string, bytes: Uint8Array): void {
  const unfinished = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(unfinished, bytes, { mode: 0o600, flag: "wx" });
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

export function spawnThread(name: ThreadName, workerData: unknown, resourceLimits?: ResourceLimits): Worker {
  const options = { name, workerData, ...(resourceLimits && { resourceLimits }) };
  const embedded = readAsset("binary-entry.cjs");
  if (embedded) return new Worker(Buffer.from(embedded).toString("utf8"), { ...options, eval: true });
  return new Worker(join(import.meta.dirname, isSource ? threadSources[name] : `${name}.cjs`), options);
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
