// The reports of a test: the newest is current, the others were replaced by reanalyses.

import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { prepare } from "../../../platform/database/engine/prepared.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { readable } from "./raw-messages.ts";
import firstDictionary from "./report-dictionary-1.json" with { type: "json" };
import secondDictionary from "./report-dictionary-2.json" with { type: "json" };
import thirdDictionary from "./report-dictionary-3.json" with { type: "json" };

type NewReport = { readonly testId: string; readonly createdAt: number; readonly report: Uint8Array };

export const insertReport = prepare<NewReport>((db, { testId, createdAt, report }) =>
  db
    .insertInto("reports")
    .values({ test_id: testId, created_at: createdAt, report })
    .onConflict((conflict) => conflict.columns(["test_id", "created_at"]).doUpdateSet({ report })),
);

/** The report as JSON. */
type KeptReport = { readonly created_at: number; readonly report: string };

/** Newest first. The first is the current report; the others were replaced by reanalyses. */
export async function listReports(scope: Scope, testId: string): Promise<KeptReport[]> {
  const rows = await scope
    .selectFrom("tests")
    .where("became", "in", readable)
    .innerJoin("reports", "reports.test_id", "tests.id")
    .select(["reports.created_at", "reports.report"])
    .where("tests.id", "=", testId)
    .orderBy("reports.created_at", "desc")
    .execute();
  return rows.map(({ created_at, report }) => ({ created_at, report: decodeReport(report) }));
}

/** The newest, or the one of that time. */
export async function readKeptReport(
  scope: Scope,
  testId: string,
  createdAt: number | undefined,
): Promise<KeptReport | undefined> {
  const row = await scope
    .selectFrom("tests")
    .where("became", "in", readable)
    .innerJoin("reports", "reports.test_id", "tests.id")
    .select(["reports.created_at", "reports.report"])
    .where("tests.id", "=", testId)
    .$if(createdAt !== undefined, (query) => query.where("reports.created_at", "=", createdAt ?? 0))
    .orderBy("reports.created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && { ...row, report: decodeReport(row.report) };
}

/** When the newest report of each test was created. */
export async function listNewestReports(
  scope: Scope,
  testIds: readonly string[],
): Promise<{ readonly test_id: string; readonly created_at: number }[]> {
  if (testIds.length === 0) return [];
  return await scope
    .selectFrom("tests")
    .where("became", "in", readable)
    .innerJoin("reports", "reports.test_id", "tests.id")
    .select((columns) => ["reports.test_id", columns.fn.max("reports.created_at").as("created_at")])
    .where("tests.id", "in", testIds)
    .groupBy("reports.test_id")
    .execute();
}

/** Keeps the newest `keep` of a test. */
export async function removeOldReports(db: Db, testId: string, keep: number): Promise<void> {
  const oldest = await db
    .selectFrom("reports")
    .select("created_at")
    .where("test_id", "=", testId)
    .orderBy("created_at", "desc")
    .offset(keep)
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  await db.deleteFrom("reports").where("test_id", "=", testId).where("created_at", "<=", oldest.created_at).execute();
}

/** The newest report, as JSON. */
export async function readReport(scope: Scope, testId: string): Promise<string | undefined> {
  return (await readKeptReport(scope, testId, undefined))?.report;
}

/**
 * The first byte of a stored report is the number of its dictionary, or zstd's own first byte if it has none. Stored
 * reports need their dictionary, so none is ever removed: databases from before the first release have reports with the
 * first one. New reports use the last one. Each is base64 of zstd, as JSON, which every form of the program bundles.
 */
const packedDictionaries: readonly string[] = [firstDictionary, secondDictionary, thirdDictionary];
const newestDictionary = packedDictionaries.length;
const withoutDictionary = 0x28;

const unpacked = new Map<number, Buffer>();

function readDictionary(number: number): Buffer {
  const packed = packedDictionaries[number - 1];
  if (packed === undefined)
    throw new Error(`A report is compressed with dictionary ${number}, which only a newer version of Assay has.`);
  const dictionary = unpacked.get(number) ?? zstdDecompressSync(Buffer.from(packed, "base64"));
  unpacked.set(number, dictionary);
  return dictionary;
}

/**
 * A report of 45 KB becomes 5 KB, in the thread that wrote it, so the main thread has less to write. Level 5 with twice
 * the dictionary makes it 4 KB, but analyzing a message then takes an eighth more processor time.
 */
export function encodeReport(json: string): Uint8Array {
  const params = { [constants.ZSTD_c_compressionLevel]: 3 };
  const compressed = zstdCompressSync(json, { params, dictionary: readDictionary(newestDictionary) });
  // A copy, because zlib returns a chunk of 64 KB, and all of it would be sent to the main thread.
  const report = new Uint8Array(compressed.length + 1);
  report[0] = newestDictionary;
  report.set(compressed, 1);
  return report;
}

export function decodeReport(report: Uint8Array): string {
  const maxOutputLength = maxInflatedBytes;
  const [number = 0] = report;
  if (number === withoutDictionary) return zstdDecompressSync(report, { maxOutputLength }).toString();
  const dictionary = readDictionary(number);
  return zstdDecompressSync(report.subarray(1), { maxOutputLength, dictionary }).toString();
}

/** Far larger than any report that we write. */
const maxInflatedBytes = 256 * 1024 * 1024;
