// What an operator sees of the packages: the settings file, the unit, the control file, the container files, and
// what the release script rejects.

import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import manifest from "../../package.json" with { type: "json" };
import { toControl } from "../../scripts/package/archives.ts";
import { toBillOfMaterials } from "../../scripts/package/inventory.ts";
import { readDockerfile, toImage } from "../../scripts/package/prove-container.ts";
import { findObstacles } from "../../scripts/package/release.ts";
import { findKeyProblem, publicKeyFile, signSums } from "../../scripts/package/signing.ts";
import { toManualPage, toSettingsFile } from "../../scripts/package/texts.ts";
import { commands } from "../../src/commands.ts";
import { settings } from "../../src/platform/settings/config.ts";
import { parseSettingsFile, readConfig, settingNames } from "../../src/platform/settings/config-reading.ts";
import { temporaryFolder } from "../platform/database/temporary.ts";

const folder = join(import.meta.dirname, "..", "..", "scripts", "package");
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const handbookOfProduction = readFileSync(join(folder, "..", "..", "src", "handbook", "production.md"), "utf8");
/** Of a start without any setting. */
const defaults = readConfig({});

describe("the settings file", () => {
  const file = toSettingsFile();

  test("the settings file changes only the data directory as shipped", () => {
    const reading = readConfig({}, parseSettingsFile(file).source);
    if (!reading.ok || !defaults.ok) throw new Error("Not readable.");
    expect(reading.config).toEqual({ ...defaults.config, dataDir: "/var/lib/assay" });
  });

  test("the settings file of the Debian package sets only the data directory", () => {
    const { source, problems } = parseSettingsFile(read("debian/assay.env"));
    expect([source, problems]).toEqual([{ ASSAY_DATA_DIR: "/var/lib/assay" }, []]);
  });

  test("the settings file shows every setting with a default that can be pasted", () => {
    const { source, problems } = parseSettingsFile(file.replace(/^#(ASSAY_)/gm, "$1"));
    expect(problems).toEqual([]);
    expect(Object.keys(source)).toEqual(Object.values(settings).flatMap((one) => settingNames(one)));
    const reading = readConfig({}, source);
    if (!reading.ok || !defaults.ok) throw new Error(JSON.stringify(reading));
    expect(reading.config).toEqual({ ...defaults.config, dataDir: "/var/lib/assay" });
  });
});

test("the manual page names every command as the binary is called", async () => {
  const page = await toManualPage(new Date(0));
  for (const { name } of await commands()) expect(page).toContain(`.SS ${name.replaceAll("-", "\\-")}\n`);
  expect(page).not.toContain("npm run");
});

test("the control file has the version, the processor, and the libraries that Node needs", () => {
  const control = toControl("arm64", "1.2.3", 2048);
  expect(control).toMatch(/^Version: 1\.2\.3\nArchitecture: arm64$/m);
  expect(control).toMatch(/^Installed-Size: 2$/m);
  for (const library of ["libc6 (>= 2.28)", "libstdc++6", "libatomic1"])
    expect(control).toMatch(new RegExp(`^Depends: .*${library.replace(/[()+.]/g, "\\$&")}`, "m"));
});

test("the bill of materials has Node, SQLite, and every imported package, and no tools", () => {
  const { components, serialNumber } = JSON.parse(toBillOfMaterials(new Date(0))) as {
    components: { name: string; version: string; cpe?: string }[];
    serialNumber: string;
  };
  const named = components.map(({ name, version }) => `${name}@${version}`);
  expect(named).toContain(`node@${process.versions.node}`);
  for (const [name, version] of Object.entries(manifest.dependencies)) expect(named).toContain(`${name}@${version}`);
  expect(named.filter((one) => /^(?:typescript|vitest|tsup|node-linux)/.test(one))).toEqual([]);
  expect(serialNumber).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
});

describe("the systemd unit", () => {
  const lines = read("assay.service").split("\n");

  test("the systemd unit runs as its own user on a read-only file system, except for its data", () => {
    for (const line of ["User=assay", "ProtectSystem=strict", "StateDirectory=assay", "NoNewPrivileges=yes"])
      expect(lines).toContain(line);
    expect(lines).toContain("CapabilityBoundingSet=CAP_NET_BIND_SERVICE");
  });

  test("the systemd unit lets V8 compile, and sets nothing that changes where it listens", () => {
    expect(lines.filter((line) => line.startsWith("MemoryDenyWriteExecute"))).toEqual([]);
    const set = lines.filter((line) => line.startsWith("Environment="));
    expect(set).toEqual(["Environment=ASSAY_DATA_DIR=/var/lib/assay"]);
  });
});

test("the container image runs without root, keeps its data in a volume, and sets valid settings", () => {
  const { user, volume, environment, command } = toImage(readDockerfile());
  expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  expect(environment.ASSAY_DATA_DIR).toBe(volume);
  expect(readConfig(environment)).toMatchObject({ ok: true, warnings: [] });
  expect(command).toEqual(["assay", "serve"]);
});

type Compose = {
  readonly services: Readonly<Record<string, { image: string; environment: Record<string, string>; ports?: string[] }>>;
};

describe.each(globSync("compose*.yaml", { cwd: folder }))("the container file %s", (name) => {
  const { services } = parse(read(name), { merge: true }) as Compose;
  const own = Object.values(services).filter(({ image }) => image === "assay");

  test("a container file starts Assay with valid settings", () => {
    expect(own.length).toBeGreaterThan(0);
    for (const { environment } of own) {
      const given = Object.entries(environment).map(([key, value]) => [
        key,
        value.replace(/\$\{\w+:\?\}/g, "x".repeat(32)),
      ]);
      expect(readConfig(Object.fromEntries(given))).toMatchObject({ ok: true, warnings: [] });
    }
  });

  test("a container file publishes the app only on this machine, or behind a proxy with HTTPS", () => {
    const web = Object.values(services).flatMap(({ ports = [] }) => ports.filter((one) => /:8080$/.test(one)));
    expect(web.every((one) => one.startsWith("127.0.0.1:"))).toBe(true);
  });
});

describe("the release script rejects", () => {
  const state = {
    version: "1.2.3",
    lockVersion: "1.2.3",
    changelog: "# Changelog\n\n## 1.2.3 (2026-11-26)\n\n- First.\n",
    changes: "",
    tags: ["v1.2.2"],
    hasDatabase: true,
    keyProblem: null,
  };
  const cases = [
    { why: "a dirty tree", change: { changes: " M src/server.ts\n" }, says: "src/server.ts" },
    { why: "no changelog entry", change: { changelog: "# Changelog\n" }, says: 'no entry "## 1.2.3"' },
    { why: "an entry without a date", change: { changelog: "## 1.2.3 (unreleased)\n" }, says: "needs its date" },
    { why: "another version in package.json", change: { version: "1.2.2", lockVersion: "1.2.2" }, says: "1.2.2" },
    { why: "a stale lock file", change: { lockVersion: "1.2.2" }, says: "package-lock.json" },
    {
      why: "no database for the tests of later versions",
      change: { hasDatabase: false },
      says: "npm run script -- scripts/release-database.ts",
    },
    { why: "a wrong key", change: { keyProblem: "It is another key." }, says: "another key" },
    { why: "a tag that is taken", change: { tags: ["v1.2.3"] }, says: "v1.2.3" },
  ];

  test.each(cases)("the release script rejects a release for the reason: $why", ({ change, says }) => {
    const obstacles = findObstacles("1.2.3", { ...state, ...change });
    expect(obstacles).toHaveLength(1);
    expect(obstacles[0]).toContain(says);
  });

  test("the release script rejects nothing else", () => {
    expect(findObstacles("1.2.3", state)).toEqual([]);
    expect(findObstacles("1.2", { ...state, version: "1.2" }).join()).toContain("form 1.2.3");
  });
});

describe("the signature of a release", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

  test.skipIf(spawnSync("openssl", ["version"]).status !== 0)(
    "the signature of a release is verified by openssl as the handbook says",
    () => {
      const folder = temporaryFolder();
      const sums = "00  assay.tar.gz\n";
      writeFileSync(join(folder, "SHA256SUMS"), sums);
      writeFileSync(join(folder, "SHA256SUMS.sig"), signSums(sums, pem));
      writeFileSync(join(folder, "release-key.pem"), publicKey.export({ type: "spki", format: "pem" }));
      const [, command = ""] = /^(openssl pkeyutl .*)$/m.exec(handbookOfProduction) ?? [];
      const verify = () => spawnSync("sh", ["-c", command], { cwd: folder }).status;
      expect(verify()).toBe(0);
      writeFileSync(join(folder, "SHA256SUMS"), sums.replace("00", "01"));
      expect(verify()).not.toBe(0);
    },
  );

  test("the signature of a release is rejected with a key that is not the published one", () => {
    const top = temporaryFolder();
    const file = join(top, "release.key");
    writeFileSync(file, pem);
    expect(findKeyProblem(file, top)).toContain("openssl genpkey");
    mkdirSync(join(top, ".github"));
    writeFileSync(join(top, publicKeyFile), publicKey.export({ type: "spki", format: "pem" }));
    expect(findKeyProblem(file, top)).toBeNull();
    expect(findKeyProblem(join(top, publicKeyFile), top)).toContain("not a private key");
    const other = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" });
    writeFileSync(file, other);
    expect(findKeyProblem(file, top)).toContain("is not the private key of");
  });
});

test("the workflows are valid, and there are no others", () => {
  const workflows = globSync("*.yml", { cwd: join(folder, "..", "..", ".github", "workflows") });
  expect(workflows.sort()).toEqual(["ci.yml", "release.yml"]);
  for (const name of workflows) {
    const text = readFileSync(join(folder, "..", "..", ".github", "workflows", name), "utf8");
    expect(parse(text)).toHaveProperty("jobs");
  }
});
