// The databases that releases left (test/fixtures/releases), each copied to where a test opens it.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import type { ReleaseFacts } from "../../../scripts/release-database.ts";
import type { StoreLocation } from "../../../src/platform/database/open.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import { findClient } from "../../postgres.ts";

type Kind = Store["dialect"];
type Facts = Readonly<Record<Kind, ReleaseFacts>> & { readonly secretKey: string };

const folder = new URL("../../fixtures/releases/", import.meta.url);

export const releases = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({
    name,
    facts: JSON.parse(readFileSync(new URL(`${name}/facts.json`, folder), "utf8")) as Facts,
  }));

/** Of the last version before the first release. */
export const unreleased = "unreleased-b0d76f11";

/** Those that this run has. */
export const kinds: readonly Kind[] = inject("postgresUrl") === null ? ["sqlite"] : ["sqlite", "postgres"];

/** A copy of it, which is removed after the test. */
export async function placeRelease(name: string, kind: Kind): Promise<StoreLocation> {
  const read = (file: string) => gunzipSync(readFileSync(new URL(`${name}/${file}`, folder)));
  if (kind === "sqlite") {
    const databaseFile = join(newFolder(), "assay.db");
    writeFileSync(databaseFile, read("sqlite.db.gz"), { mode: 0o600 });
    return { databaseFile };
  }
  const server = inject("postgresUrl") ?? "";
  const database = `release_${process.pid}_${Math.random().toString(36).slice(2)}`;
  await queryPostgres(server, `create database ${database}`);
  onTestFinished(() => queryPostgres(server, `drop database ${database} with (force)`).then(() => {}));
  const url = new URL(server);
  url.pathname = `/${database}`;
  const args = ["--quiet", "--set=ON_ERROR_STOP=1", "--dbname", url.href];
  const { status, stderr } = spawnSync(findClient("psql"), args, { input: read("postgres.sql.gz") });
  if (status !== 0) throw new Error(String(stderr));
  return { databaseUrl: url.href };
}

export function newFolder(): string {
  const made = mkdtempSync(join(tmpdir(), "assay-release-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

export async function queryPostgres(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return await client.query(sql).then(
    ({ rows }) => client.end().then(() => rows),
    (error) => client.end().then(() => Promise.reject(error)),
  );
}
