// What is inside the program: its packages with Node and SQLite, as a CycloneDX bill of materials and as the texts of their
// licenses. The packages are those of the lock file without the tools. The bundler leaves some of them out.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { version } from "../../src/analyzer/version.ts";

type LockEntry = {
  readonly version: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
};
type Package = LockEntry & { readonly name: string; readonly folder: string };

const top = join(import.meta.dirname, "..", "..");
/** The form of a license that names several, as in "(MIT OR EUPL-1.1+)". */
const expression = / (?:OR|AND|WITH) /;

function packagesInside(): Package[] {
  const { packages } = JSON.parse(readFileSync(join(top, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockEntry>;
  };
  return Object.entries(packages)
    .filter(([path, { dev, optional }]) => path !== "" && !dev && !optional)
    .map(([path, entry]) => ({ ...entry, name: path.split("node_modules/").at(-1) ?? path, folder: join(top, path) }))
    .sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

function sqliteVersion(): string {
  const database = new Database(":memory:");
  const row = database.prepare("SELECT sqlite_version() AS version").get() as { version: string };
  database.close();
  return row.version;
}

export function toBillOfMaterials(builtAt: Date): string {
  const own = { type: "application", "bom-ref": `assay@${version}`, name: "assay", version };
  const inside = new Map(packagesInside().map((one) => [`${one.name}@${one.version}`, toComponent(one)]));
  const content = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    // From the content, so that the same release has the same number.
    serialNumber: "",
    version: 1,
    metadata: { timestamp: builtAt.toISOString(), component: { ...own, licenses: [{ license: { id: "MIT" } }] } },
    components: [...platform(), ...inside.values()],
  };
  const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  const [a, b, c, d] = [digest.slice(0, 8), digest.slice(8, 12), digest.slice(13, 16), digest.slice(17, 20)];
  const serialNumber = `urn:uuid:${a}-${b}-5${c}-8${d}-${digest.slice(20, 32)}`;
  return `${JSON.stringify({ ...content, serialNumber }, null, 2)}\n`;
}

/** What isn't a package of the lock file: Node with the libraries that it is made of, and SQLite. */
function platform(): object[] {
  const { node, openssl, v8, uv, zlib, nghttp2, undici, ares } = process.versions;
  const parts = Object.entries({ openssl, v8, libuv: uv, zlib, nghttp2, undici, "c-ares": ares });
  const sqlite = sqliteVersion();
  return [
    {
      type: "platform",
      "bom-ref": `node@${node}`,
      name: "node",
      version: node,
      cpe: `cpe:2.3:a:nodejs:node.js:${node}:*:*:*:*:*:*:*`,
      purl: `pkg:generic/node@${node}`,
      components: parts.map(([name, of]) => ({
        type: "library",
        "bom-ref": `node@${node}/${name}`,
        name,
        version: of ?? "unknown",
      })),
    },
    {
      type: "library",
      "bom-ref": `sqlite@${sqlite}`,
      name: "sqlite",
      version: sqlite,
      cpe: `cpe:2.3:a:sqlite:sqlite:${sqlite}:*:*:*:*:*:*:*`,
      purl: `pkg:generic/sqlite@${sqlite}`,
    },
  ];
}

function toComponent({ name, version: of, license, integrity }: Package): object {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${of}`;
  const [, sha512] = /^sha512-(\S+)/.exec(integrity ?? "") ?? [];
  const named = expression.test(license ?? "") ? { expression: license } : { license: { id: license } };
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version: of,
    purl,
    ...(license === undefined ? {} : { licenses: [named] }),
    ...(sha512 === undefined
      ? {}
      : { hashes: [{ alg: "SHA-512", content: Buffer.from(sha512, "base64").toString("hex") }] }),
  };
}

/** Packages with the same text share it. */
export function toLicenses(): string {
  const holders = new Map<string, string[]>();
  const list = packagesInside().map((one) => [`${one.name} ${one.version} (${one.license})`, licenseOf(one.folder)]);
  for (const [name = "", text] of list) {
    const known = text ?? "No license text in the package.";
    holders.set(known, [...(holders.get(known) ?? []), name]);
  }
  const node = readFileSync(join(process.execPath, "..", "..", "LICENSE"), "utf8").trim();
  const sqlite = "SQLite is in the public domain: https://sqlite.org/copyright.html";
  const parts = [...holders].map(([text, names]) => `${[...new Set(names)].join("\n")}\n\n${text}`);
  const rule = `\n\n${"-".repeat(80)}\n\n`;
  return `Assay contains this software.${rule}${[...parts, sqlite, `Node ${process.versions.node}\n\n${node}`].join(rule)}\n`;
}

function licenseOf(folder: string): string | undefined {
  if (!existsSync(folder)) throw new Error(`${folder} is not installed. Run npm ci.`);
  const files = readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
    .sort();
  const texts = files.map((name) => readFileSync(join(folder, name), "utf8").trim());
  return texts.length === 0 ? undefined : texts.join("\n\n");
}
