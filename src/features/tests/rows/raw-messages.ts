// The bytes of a message as received after DATA. Large ones are compressed with zstd at its lowest level, which takes
// less time than writing the saved bytes. Small ones are stored as they are, because setting up the compressor costs
// more.

import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { prepare } from "../../../platform/database/engine/prepared.ts";
import type { Encoded, MessageRow, Messages } from "../../../platform/database/messages.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { Ticket } from "../../../platform/work/claims.ts";
import type { Became } from "../tables.ts";

const compressFromBytes = 16_384;

/** Larger than any message that the settings allow. Data that inflates to more isn't ours. */
const maxInflatedBytes = 1_100_000_000;

/** Classes of mail with a report. Lists show only tests. */
export const readable: readonly Became[] = ["test", "canary"];

type RawMessage = { readonly bytes: Uint8Array; readonly session: string };

/** For a message that became this; a canary counts as a test. Undefined if it is something else. */
export async function readRawMessage(
  scope: Scope,
  messages: Pick<Messages, "open">,
  testId: string,
  became: Became = "test",
): Promise<RawMessage | undefined> {
  const row = await readMessageRow(scope, testId, became);
  return row && { bytes: decodeRaw(await messages.open(row)), session: row.session };
}

/** The same as a row, for a thread that decodes it after `Messages.open`. */
export async function readMessageRow(
  scope: Scope,
  testId: string,
  became: Became = "test",
): Promise<MessageRow | undefined> {
  return await scope
    .selectFrom("tests")
    .where("tests.became", "in", became === "test" ? readable : [became])
    .innerJoin("raw_messages", "raw_messages.test_id", "tests.id")
    .select(messageColumns)
    .where("tests.id", "=", testId)
    .executeTakeFirst();
}

/** Without the message, which may be large. */
export async function readSession(scope: Scope, testId: string): Promise<string | undefined> {
  const row = await scope
    .selectFrom("tests")
    .where("tests.became", "in", readable)
    .innerJoin("raw_messages", "raw_messages.test_id", "tests.id")
    .select("raw_messages.session")
    .where("tests.id", "=", testId)
    .executeTakeFirst();
  return row?.session;
}

/** In any workspace: for the analyzer, which holds the claim on the test and decodes it. */
export async function readClaimedMessage(db: Db, { id }: Ticket): Promise<MessageRow | undefined> {
  const { rows } = await selectKept(db, { id });
  return rows[0];
}

/** For a `MessageRow`. */
export const messageColumns = [
  "raw_messages.encoding",
  "raw_messages.bytes",
  "raw_messages.session",
  "raw_messages.stored_in",
  "raw_messages.object_key",
  "raw_messages.object_hash",
  "raw_messages.object_bytes",
] as const;

const selectKept = prepare<{ id: string }, MessageRow>((db, { id }) =>
  db.selectFrom("raw_messages").select(messageColumns).where("test_id", "=", id),
);

export function encodeRaw(bytes: Uint8Array): Encoded {
  if (bytes.length >= compressFromBytes) {
    const params = { [constants.ZSTD_c_compressionLevel]: 1 };
    // So that compressed text fits into one chunk and needs no concatenation.
    const chunkSize = Math.max(compressFromBytes, Math.ceil(bytes.length / 4));
    const compressed = zstdCompressSync(bytes, { params, chunkSize });
    // A result that fills less than half of its chunk is copied, because it would keep the whole chunk in memory.
    const isShort = compressed.length < compressed.buffer.byteLength / 2;
    if (compressed.length < bytes.length)
      return { encoding: 1, bytes: isShort ? new Uint8Array(compressed) : compressed };
  }
  return { encoding: 0, bytes };
}

export function decodeRaw({ encoding, bytes }: Encoded): Uint8Array {
  return encoding === 0 ? bytes : zstdDecompressSync(bytes, { maxOutputLength: maxInflatedBytes });
}
