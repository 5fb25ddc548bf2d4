// Takes a workspace from a file that another server wrote, in one transaction. The file may be anything, so every row goes
// to the new workspace whatever it says, points only to rows of the same file, and adds but never replaces (src/decisions.md, "Moved workspaces").

import { createHmac } from "node:crypto";
import { createSecret, hashSecret, secretBytes } from "../../../platform/contract/secrets.ts";
import { lastUnreleased } from "../../../platform/database/engine/schema-version.ts";
import type { SealedTable } from "../../../platform/database/engine/sealed-rows.ts";
import type { SqlValue } from "../../../platform/database/engine/sqlite-database.ts";
import type { JsonColumns } from "../../../platform/database/json-columns.ts";
import { migrations } from "../../../platform/database/migrations/list.ts";
import type { StoreLocation } from "../../../platform/database/open.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId, idPrefixes } from "../../../platform/ids.ts";
import type { Chunks } from "../../../platform/system/age.ts";
import { createSealer, type SecretKey } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import { links } from "../../people/rules/links.ts";
import { copiedColumns, type Row, type RowTarget, writeRows } from "../rows/workspace-rows.ts";
import { type WorkspaceTable, workspaceTables } from "../rows/workspace-tables.ts";
import { checkJson, checkRow } from "./import-checks.ts";
import { avoidConflict } from "./import-conflicts.ts";
import { type FileHeader, type FileRow, invalid, isSecret, type MovedPerson, readLines } from "./workspace-file.ts";

export type ImportTerms = {
  readonly sealedTables: readonly SealedTable[];
  readonly json: JsonColumns;
  readonly location: StoreLocation;
  readonly addonFile: string | undefined;
  readonly system: Pick<System, "now" | "random">;
  readonly secretKey: SecretKey;
  /** The plan of new workspaces here. */
  readonly plan: string;
  /** For a server that has the workspace already. */
  readonly newIds: boolean;
};

export type Imported = {
  readonly workspaceId: string;
  readonly name: string;
  readonly rows: Readonly<Record<string, number>>;
  /** Who got an account, which has no password yet. */
  readonly newPeople: readonly string[];
  /** Who has an account here, and must accept. */
  readonly invited: readonly Invited[];
  readonly hasSecrets: boolean;
};

type Invited = Pick<MovedPerson, "email" | "role"> & { readonly secret: string };

/** `name`: of the file, for people. */
export async function importWorkspace(chunks: Chunks, name: string, terms: ImportTerms): Promise<Imported> {
  return await writeRows(terms, async (target) => {
    const importing = new Importing(target, name, terms);
    for await (const line of readLines(chunks, name)) {
      if ("header" in line) await importing.begin(line.header);
      else if ("table" in line) await importing.take(line.table, line.row);
      else await importing.end(line.end);
    }
    return importing.result();
  });
}

const idForm = new RegExp(`\\b(?:${Object.values(idPrefixes).join("|")})_[0-9a-hjkmnp-tv-z]{26}\\b`, "g");
const userId = /^usr_[0-9a-hjkmnp-tv-z]{26}$/;
const workspaceIdForm = /^wsp_[0-9a-hjkmnp-tv-z]{26}$/;
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** What is known while the lines of one file are taken. */
class Importing {
  readonly #target: RowTarget;
  readonly #name: string;
  readonly #terms: ImportTerms;
  /** Makes the new IDs of one import equal wherever they occur. */
  readonly #salt: Uint8Array;
  readonly #keys = new Map<string, Set<string>>();
  readonly #counts: Record<string, number> = {};
  readonly #columns = new Map<string, readonly string[]>();
  readonly #people = new Map<string, string>();
  readonly #newPeople: string[] = [];
  readonly #invited: Invited[] = [];
  #header: FileHeader | undefined;
  #workspaceId = "";
  #place = -1;

  constructor(target: RowTarget, name: string, terms: ImportTerms) {
    this.#target = target;
    this.#name = name;
    this.#terms = terms;
    this.#salt = terms.system.random(32);
  }

  async begin(header: FileHeader): Promise<void> {
    // Migrations only add (test/laws/migrations.test.ts), so rows of an earlier version fit.
    if (header.schema !== lastUnreleased && migrations.every(({ name }) => name !== header.schema))
      throw new Refusal(
        "conflict",
        `${this.#name} was exported by another version of Assay (${header.schema.slice(0, 60)}). Export it with the version that runs here. Nothing was changed.`,
      );
    const { id, name } = header.workspace;
    if (typeof id !== "string" || !workspaceIdForm.test(id) || typeof name !== "string")
      throw invalid(this.#name, "its workspace has no ID or no name");
    this.#header = header;
    this.#workspaceId = this.#toId(id);
    const found = await this.#target.select("select 1 as found from workspaces where id = $1", [this.#workspaceId]);
    if (found.length > 0)
      throw new Refusal(
        "conflict",
        `This server already has the workspace ${this.#workspaceId}. To import a second copy, add --new-ids. Nothing was changed.`,
      );
    const columns = await this.#columnsOf("workspaces");
    const row = this.#requireColumns("workspaces", columns, header.workspace);
    checkJson(this.#terms.json, "workspaces", row, this.#name);
    await this.#target.insert("workspaces", {
      ...row,
      id: this.#workspaceId,
      plan: this.#terms.plan,
      created_at: await this.#newestTime(),
      removed_at: null,
    });
    for (const person of header.people) await this.#addPerson(person);
  }

  /** The oldest workspace is the server's own, so one that moves in is the newest, also if the clock is wrong. */
  async #newestTime(): Promise<number> {
    const [newest] = await this.#target.select("select max(created_at) as at from workspaces", []);
    return Math.max(this.#terms.system.now(), Number(newest?.at ?? 0) + 1);
  }

  /** Anyone can write a file with the address of an account, so its person is asked first. */
  async #addPerson({ userId: theirId, email, name, role }: MovedPerson): Promise<void> {
    const [known] = await this.#target.select("select id from users where email = $1", [email]);
    if (known !== undefined) return await this.#invite({ email, role });
    const { now, random } = this.#terms.system;
    const id = createId("user", now(), random(16));
    await this.#target.insert("users", { id, email, name, password_hash: "", created_at: now() });
    this.#newPeople.push(email);
    this.#people.set(theirId, id);
    await this.#target.insert("memberships", { workspace_id: this.#workspaceId, user_id: id, role, created_at: now() });
  }

  async #invite(person: Pick<MovedPerson, "email" | "role">): Promise<void> {
    const { now, random } = this.#terms.system;
    const secret = createSecret(random(secretBytes));
    const id = createId("invitation", now(), random(16));
    const times = { created_at: now(), expires_at: now() + links.invitation.lifeMs };
    const row = { id, workspace_id: this.#workspaceId, hash: hashSecret(secret), ...person, ...times };
    await this.#target.insert("invitations", row);
    this.#invited.push({ ...person, secret });
  }

  async take(name: string, row: FileRow): Promise<void> {
    const place = workspaceTables.findIndex((table) => table.name === name);
    const table = workspaceTables[place];
    if (table === undefined) throw invalid(this.#name, `it has rows of ${JSON.stringify(name.slice(0, 60))}`);
    if (place < this.#place) throw invalid(this.#name, "its tables are not in order");
    await this.#reach(place);
    const columns = copiedColumns(name, await this.#columnsOf(name));
    const mapped = this.#map(table, this.#requireColumns(name, columns, row));
    checkJson(this.#terms.json, name, mapped, this.#name);
    const checked = this.#own(table, this.#seal(table, { ...mapped, ...table.reset }));
    const isOfWorkspace = columns.includes("workspace_id") || name === "test_words";
    const own = isOfWorkspace ? { ...checked, workspace_id: this.#workspaceId } : checked;
    const added = this.#terms.newIds ? await avoidConflict(this.#target, name, own, this.#terms.system) : own;
    this.#counts[name] = (this.#counts[name] ?? 0) + 1;
    if (added === undefined) return;
    await checkRow(this.#target, name, added, { name: this.#name, now: this.#terms.system.now() });
    await this.#target.insert(name, added);
    const key = added[table.key ?? "id"];
    if (typeof key === "string") this.#keysOf(name).add(key);
  }

  /** Sums are emptied before the first row of each, because triggers have filled them meanwhile. */
  async #reach(place: number): Promise<void> {
    for (let passed = this.#place + 1; passed <= place; passed += 1) {
      const table = workspaceTables[passed];
      if (table?.isSum)
        await this.#target.run(`delete from ${table.name} where workspace_id = $1`, [this.#workspaceId]);
    }
    this.#place = Math.max(this.#place, place);
  }

  async end(counts: Readonly<Record<string, unknown>>): Promise<void> {
    for (const { name } of workspaceTables)
      if ((counts[name] ?? 0) !== (this.#counts[name] ?? 0))
        throw invalid(this.#name, `it has fewer or more rows of ${name} than its end says`);
    await this.#reach(workspaceTables.length - 1);
  }

  result(): Imported {
    return {
      workspaceId: this.#workspaceId,
      name: String(this.#header?.workspace.name),
      rows: this.#counts,
      newPeople: this.#newPeople,
      invited: this.#invited,
      hasSecrets: this.#header?.hasSecrets === true,
    };
  }

  async #columnsOf(table: string): Promise<readonly string[]> {
    const columns = this.#columns.get(table) ?? (await this.#target.columnsOf(table));
    this.#columns.set(table, columns);
    return columns;
  }

  /** Names become part of statements, so only those of the table. */
  #requireColumns<R extends FileRow>(table: string, columns: readonly string[], row: R): R {
    const unknown = Object.keys(row).find((column) => !columns.includes(column));
    if (unknown === undefined) return row;
    throw invalid(this.#name, `${table} has no column ${JSON.stringify(unknown.slice(0, 60))}`);
  }

  #map({ name }: WorkspaceTable, row: FileRow): FileRow {
    const entries = Object.entries(row).map(([column, value]) => {
      if (typeof value !== "string") return [column, value] as const;
      if (userId.test(value)) return [column, this.#people.get(value) ?? null] as const;
      // The words are only what people wrote.
      return [
        column,
        this.#terms.newIds && name !== "test_words" ? value.replace(idForm, (id) => this.#toId(id)) : value,
      ] as const;
    });
    const mapped = Object.fromEntries(entries);
    return name === "test_words" ? { ...mapped, test_id: this.#toId(String(row.test_id)) } : mapped;
  }

  /** The same kind and time, so that the order stays, and another random part. */
  #toId(id: string): string {
    if (!this.#terms.newIds || userId.test(id)) return id;
    const digest = createHmac("sha256", this.#salt).update(id).digest();
    const random = [...digest.subarray(0, 16)].map((byte) => alphabet[byte & 31]).join("");
    return id.slice(0, -16) + random;
  }

  #keysOf(table: string): Set<string> {
    const keys = this.#keys.get(table) ?? new Set<string>();
    this.#keys.set(table, keys);
    return keys;
  }

  /** Otherwise a file could add to the rows of another workspace of this server. */
  #own({ name, owned = {}, loose = {} }: WorkspaceTable, row: Row): Row {
    const kept: Record<string, SqlValue> = { ...row };
    for (const [column, parent] of Object.entries(owned)) {
      const value = row[column] ?? null;
      if (value !== null && !this.#keysOf(parent).has(String(value)))
        throw invalid(this.#name, `a row of ${name} points to a row of ${parent} that is not in the file`);
    }
    for (const [column, parent] of Object.entries(loose))
      if (!this.#keysOf(parent).has(String(row[column]))) kept[column] = null;
    return kept;
  }

  /** Under the key of this server, bound to the row as it is here. */
  #seal({ name }: WorkspaceTable, row: FileRow): Row {
    const secrets = Object.entries(row).filter(([, value]) => isSecret(value));
    const sealed = this.#terms.sealedTables.find(({ table }) => table === name);
    const plain = Object.fromEntries(Object.entries(row).filter(([, value]) => !isSecret(value))) as Row;
    if (sealed === undefined) {
      if (secrets.length > 0) throw invalid(this.#name, `a row of ${name} has a secret`);
      return plain;
    }
    const { random } = this.#terms.system;
    const sealer = createSealer(this.#terms.secretKey.derive(sealed.purpose), random);
    const again = secrets.map(([column, value]) => {
      const boundTo = sealed.columns[column];
      if (boundTo === undefined || !isSecret(value)) throw invalid(this.#name, `a row of ${name} has a secret`);
      return [column, sealer.seal(value.secret, boundTo(plain))];
    });
    return { ...plain, ...Object.fromEntries(again) };
  }
}
