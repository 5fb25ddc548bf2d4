// The file of one workspace: gzip of lines of JSON. The first line names the format, the next ones are rows, the last one
// counts them. A file from someone else may be anything, so it is read with limits, and every value is checked.

import { createGunzip, createGzip } from "node:zlib";
import { readEmail } from "../../../platform/contract/emails.ts";
import type { SqlValue } from "../../../platform/database/engine/sqlite-database.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Chunks } from "../../../platform/system/age.ts";
import type { Row } from "../rows/workspace-rows.ts";

/** A person of the workspace. An account on the other server is found or made by the address. */
export type MovedPerson = {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
};

export type FileHeader = {
  readonly format: "assay workspace";
  readonly version: 1;
  /** The newest migration of the database. */
  readonly schema: string;
  readonly exportedAt: string;
  readonly hasSecrets: boolean;
  readonly workspace: Row;
  readonly people: readonly MovedPerson[];
};

/** A secret in an encrypted file. The server that takes it encrypts it under its own key. */
type MovedSecret = { readonly secret: string };
export type FileRow = Readonly<Record<string, SqlValue | MovedSecret>>;
export type FileLine =
  | { readonly header: FileHeader }
  | { readonly table: string; readonly row: FileRow }
  | { readonly end: Readonly<Record<string, number>> };

export async function* writeLines(lines: AsyncIterable<FileLine>): Chunks {
  const gzip = createGzip({ level: 6 });
  const pump = (async () => {
    try {
      for await (const line of lines)
        if (!gzip.write(`${JSON.stringify(line, toJson)}\n`)) await new Promise((go) => gzip.once("drain", go));
      gzip.end();
    } catch (error) {
      gzip.destroy(error as Error);
    }
  })();
  yield* gzip as AsyncIterable<Uint8Array>;
  await pump;
}

/** Buffers have a `toJSON` of their own, which would be four times as long. */
function toJson(this: unknown, name: string, value: unknown): unknown {
  const own = (this as Record<string, unknown>)[name];
  if (own instanceof Uint8Array)
    return { bytes: Buffer.from(own.buffer, own.byteOffset, own.length).toString("base64") };
  return typeof own === "bigint" ? Number(own) : value;
}

/** A message has up to 256 MiB, and base64 adds a third. */
const maxLineBytes = 400_000_000;
/** gzip can shrink zeros to a thousandth. Rows of a workspace shrink to a tenth. */
const maxRatio = 200;
const freeBytes = 16_777_216;
const maxRows = 100_000_000;

/** Throws a Refusal at the first thing that isn't as it should be. */
export async function* readLines(chunks: Chunks, name: string): AsyncIterable<FileLine> {
  let rows = 0;
  let hasEnded = false;
  for await (const line of splitLines(inflate(chunks, name), name)) {
    if (hasEnded) throw invalid(name, "something follows its end");
    rows += 1;
    if (rows > maxRows) throw invalid(name, `it has more than ${maxRows} rows`);
    const parsed = parseLine(line, name);
    if ((rows === 1) !== "header" in parsed) throw invalid(name, "it does not begin with its header");
    hasEnded = "end" in parsed;
    yield parsed;
  }
  if (!hasEnded) throw invalid(name, "its end is missing. It is incomplete");
}

async function* inflate(chunks: Chunks, name: string): Chunks {
  const gunzip = createGunzip();
  let [taken, given] = [0, 0];
  const pump = (async () => {
    try {
      for await (const chunk of chunks) {
        taken += chunk.length;
        if (!gunzip.write(chunk)) await new Promise((go) => gunzip.once("drain", go).once("close", go));
        if (gunzip.destroyed) return;
      }
      gunzip.end();
    } catch (error) {
      gunzip.destroy(error as Error);
    }
  })();
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      given += chunk.length;
      if (given > freeBytes + taken * maxRatio) throw invalid(name, "it inflates to far more than a workspace would");
      yield chunk;
    }
    await pump;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw code.startsWith("Z_") ? invalid(name, "it is damaged or not a file of assay workspace export") : error;
  } finally {
    gunzip.destroy();
  }
}

async function* splitLines(chunks: Chunks, name: string): AsyncIterable<string> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, at)]).toString("utf8");
      [parts, length, from] = [[], 0, at + 1];
    }
    length += chunk.length - from;
    if (length > maxLineBytes) throw invalid(name, "one of its lines is too long");
    if (from < chunk.length) parts.push(chunk.subarray(from));
  }
  if (length > 0) throw invalid(name, "its end is missing. It is incomplete");
}

function parseLine(text: string, name: string): FileLine {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    throw invalid(name, "one of its lines is not JSON");
  }
  if (!isObject(line)) throw invalid(name, "one of its lines is not an object");
  if (isObject(line.header)) return { header: readHeader(line.header, name) };
  if (isObject(line.end)) return { end: line.end as Readonly<Record<string, number>> };
  if (typeof line.table !== "string" || !isObject(line.row)) throw invalid(name, "one of its lines is not a row");
  const entries = Object.entries(line.row).map(([column, value]) => [column, readValue(value, name)] as const);
  return { table: line.table, row: Object.fromEntries(entries) };
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

function readValue(value: unknown, name: string): SqlValue | MovedSecret {
  if (value === null) return null;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  // PostgreSQL cannot store it.
  if (typeof value === "string" && !value.includes("\0")) return value;
  if (isObject(value) && typeof value.bytes === "string" && base64.test(value.bytes))
    return Buffer.from(value.bytes, "base64");
  if (isObject(value) && typeof value.secret === "string" && value.secret.length <= maxSecret)
    return { secret: value.secret };
  throw invalid(name, "one of its values has no type that a database knows");
}

const maxSecret = 65_536;
const maxPeople = 10_000;

function readHeader(header: Readonly<Record<string, unknown>>, name: string): FileHeader {
  if (header.format !== "assay workspace") throw invalid(name, "it is not a file of assay workspace export");
  if (header.version !== 1)
    throw new Refusal("conflict", `${name} was written by a newer version of Assay. Nothing was changed.`);
  const { workspace, people } = header;
  if (!isObject(workspace) || !Array.isArray(people) || people.length > maxPeople)
    throw invalid(name, "its header is not complete");
  const row = Object.entries(workspace).map(([column, value]) => [column, readValue(value, name)] as const);
  return {
    format: header.format,
    version: 1,
    schema: String(header.schema),
    exportedAt: String(header.exportedAt),
    hasSecrets: header.hasSecrets === true,
    workspace: Object.fromEntries(row.filter(([, value]) => !isSecret(value))) as Row,
    people: people.map((person) => readPerson(person, name)),
  };
}

const roles = /^(?:owner|member)$/;

function readPerson(person: unknown, name: string): MovedPerson {
  const isPerson =
    isObject(person) &&
    typeof person.userId === "string" &&
    typeof person.email === "string" &&
    readEmail(person.email) !== undefined &&
    typeof person.name === "string" &&
    person.name.length <= 200 &&
    typeof person.role === "string" &&
    roles.test(person.role);
  if (!isPerson) throw invalid(name, "one of its people is not complete");
  const { userId, email, role } = person as MovedPerson;
  return { userId, email: readEmail(email) ?? email, name: (person as MovedPerson).name, role };
}

export function isSecret(value: SqlValue | MovedSecret | undefined): value is MovedSecret {
  return typeof value === "object" && value !== null && !(value instanceof Uint8Array);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function invalid(name: string, why: string): Refusal {
  return new Refusal("invalid_request", `${name} cannot be imported: ${why}. Nothing was changed.`);
}
