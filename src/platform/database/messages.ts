// Where raw messages are stored: in the database, or in an S3-compatible store. Each row says where its
// message is, so that the setting can change at any time. The object is written first and the row last, and the row is
// removed first and the object later (features/server/upkeep/objects.ts), so no row ever points to an object that isn't there
// (src/decisions.md, "Raw messages outside the database").

import { createHash } from "node:crypto";
import { join } from "node:path";
import { messageOf, Refusal } from "../errors.ts";
import type { Config } from "../settings/config.ts";
import { createObjectDirectory } from "../system/object-directory.ts";
import { type ObjectStore, ObjectTrouble, toObjectKey } from "../system/objects.ts";
import type { System } from "../system/system.ts";
import type { ObjectPlace, RawMessagesTable } from "./schema.ts";

export type Place = "database" | "s3";

/** A row as it was read. `open` turns it into a message. */
export type MessageRow = Omit<RawMessagesTable, "test_id">;
export type Encoded = Pick<RawMessagesTable, "encoding" | "bytes">;
export type KeptMessage = Encoded & Pick<RawMessagesTable, "session">;
/** The columns that say where a message is. Those that are null in the database are left out. */
export type Placed = Encoded &
  Partial<Pick<RawMessagesTable, "stored_in" | "object_key" | "object_hash" | "object_bytes">>;

/** What this process did with objects since it started. */
type ObjectCounts = { written: number; failedWrites: number; deleted: number; swept: number };

export type Messages = {
  /** Where new messages are stored. */
  readonly place: Place;
  /** Null: its settings are missing. */
  readonly s3: ObjectStore | null;
  /** Durable when it resolves, unless its place is the database. Rejects with a Refusal. */
  readonly put: (testId: string, encoded: Encoded, place?: Place) => Promise<Placed>;
  /**
   * Rejects with MissingMessage if it is gone for good, and with another Refusal if its place can't be reached.
   * `patiently`: a wrong body from an S3 store counts as unreachable at first, because it may be a proxy's page.
   */
  readonly open: (row: MessageRow, how?: "patiently") => Promise<KeptMessage>;
  /** Why messages can't be stored now. Writes and removes a small object. */
  readonly findTrouble: () => Promise<string | null>;
  readonly counts: ObjectCounts;
  readonly close: () => void;
};

/** The object is not there, or isn't what was stored. */
export class MissingMessage extends Refusal {
  constructor(why: "missing" | "damaged", place: ObjectPlace) {
    const where = place === "s3" ? "the S3 store" : "the message directory";
    super(
      "not_found",
      why === "missing"
        ? `The raw message is missing from ${where}.`
        : `The raw message in ${where} is damaged: its checksum is wrong.`,
    );
  }
}

/** Undefined if it is gone for good. */
export async function unlessMissing<T>(opening: Promise<T>): Promise<T | undefined> {
  return await opening.catch((error) => {
    if (error instanceof MissingMessage) return undefined;
    throw error;
  });
}

function noCounts(): ObjectCounts {
  return { written: 0, failedWrites: 0, deleted: 0, swept: 0 };
}

export const inDatabase: Messages = {
  place: "database",
  s3: null,
  put: async (_testId, encoded) => encoded,
  open: (row) => openFrom({ s3: null, directory: null }, row, undefined),
  findTrouble: async () => null,
  counts: noCounts(),
  close: () => {},
};

type PlaceSettings = Pick<Config, "dataDir" | "s3">;

/** Where earlier versions stored messages, if they were set to. */
export const toOldFolder = (dataDir: string) => join(dataDir, "messages");

export type Objects = { readonly s3: ObjectStore | null; readonly directory: Pick<ObjectStore, "get"> | null };

/** `owner`: the part of the place that belongs to this installation. */
export async function openObjects({ dataDir, s3 }: PlaceSettings, owner: string): Promise<Objects> {
  const directory = createObjectDirectory(join(toOldFolder(dataDir), owner));
  if (s3 === null || s3.bucket === null) return { s3: null, directory };
  // Loaded only where it is used.
  const { createS3Objects } = await import("../system/object-s3.ts");
  // Several installations can share a bucket, and people see whose objects these are.
  return { s3: createS3Objects({ ...s3, bucket: s3.bucket, prefix: `assay/${owner}/` }), directory };
}

type MessagesTerms = {
  readonly place: Place;
  readonly objects: Objects;
  readonly system: Pick<System, "now" | "random" | "log">;
};

/** A probe writes to the store, which may cost money, so its result is kept for this long. */
const probeKeptMs = 5_000;

export function createMessages({ place, objects, system }: MessagesTerms): Messages {
  const reportTrouble = createTroubleLog(system);
  const counts = noCounts();
  const wrongBodies = createWrongBodies(system);
  let probedAt = Number.NEGATIVE_INFINITY;
  let probe: Promise<string | null> = Promise.resolve(null);

  async function put(testId: string, { encoding, bytes }: Encoded, to: Place): Promise<Placed> {
    if (to === "database") return { encoding, bytes };
    const objectKey = toObjectKey(testId, system.random(16));
    try {
      await requireStore(objects.s3, to).put(objectKey, bytes);
      counts.written += 1;
    } catch (error) {
      counts.failedWrites += 1;
      throw reportTrouble(error);
    }
    return {
      encoding,
      bytes: new Uint8Array(),
      stored_in: to,
      object_key: objectKey,
      object_hash: hashOf(bytes),
      object_bytes: bytes.length,
    };
  }

  async function tryPlace(): Promise<string | null> {
    if (place === "database") return null;
    const key = toObjectKey("probe", system.random(16));
    try {
      const store = requireStore(objects.s3, place);
      await store.put(key, Buffer.from("probe"));
      await store.remove(key);
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }

  return {
    place,
    s3: objects.s3,
    counts,
    put: (testId, encoded, to = place) => put(testId, encoded, to),
    open: (row, how) => openFrom(objects, row, reportTrouble, how && wrongBodies),
    findTrouble: () => {
      const now = system.now();
      if (now - probedAt >= probeKeptMs || now < probedAt) {
        probedAt = now;
        probe = tryPlace();
      }
      return probe;
    },
    close: () => objects.s3?.close(),
  };
}

async function openFrom(
  objects: Objects,
  row: MessageRow,
  reportTrouble: ((error: unknown) => unknown) | undefined,
  wrongBodies?: WrongBodies,
): Promise<KeptMessage> {
  const { encoding, session, stored_in, object_key, object_hash, object_bytes } = row;
  if (stored_in === null || object_key === null) return { encoding, session, bytes: row.bytes };
  let bytes: Uint8Array | undefined;
  try {
    bytes = await requireStore(objects[stored_in], stored_in).get(object_key, object_bytes ?? 0);
  } catch (error) {
    throw reportTrouble?.(error) ?? error;
  }
  if (bytes === undefined) throw new MissingMessage("missing", stored_in);
  if (hashOf(bytes) === object_hash) {
    wrongBodies?.forget(object_key);
    return { encoding, session, bytes };
  }
  if (stored_in === "s3" && wrongBodies?.mayPass(object_key)) {
    const trouble = new ObjectTrouble("the S3 store answered with another body than was stored");
    throw reportTrouble?.(trouble) ?? trouble;
  }
  throw new MissingMessage("damaged", stored_in);
}

type WrongBodies = {
  /** Notes a wrong body. False if it has been wrong for too long. */
  readonly mayPass: (key: string) => boolean;
  readonly forget: (key: string) => void;
};

/** Analyses try again every 15 seconds, so a proxy that answers in place of the store has time to recover. */
const wrongForMs = 600_000;
/** More than a server analyzes while a proxy is in the way. */
const mostWrong = 10_000;

function createWrongBodies({ now }: Pick<System, "now">): WrongBodies {
  const since = new Map<string, number>();
  return {
    mayPass: (key) => {
      const from = since.get(key) ?? now();
      since.set(key, from);
      const [oldest] = since.keys();
      if (since.size > mostWrong && oldest !== undefined) since.delete(oldest);
      return now() - from < wrongForMs;
    },
    forget: (key) => void since.delete(key),
  };
}

function requireStore<T>(store: T | null, place: ObjectPlace): T {
  if (store !== null) return store;
  throw new ObjectTrouble(`the settings of the ${place === "s3" ? "S3 store" : place} are missing`);
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const logEveryMs = 60_000;

/** Logged at most once a minute. Callers get a sentence without details of the server. */
function createTroubleLog({ now, log }: MessagesTerms["system"]): (error: unknown) => unknown {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (!(error instanceof ObjectTrouble)) return error;
    if (now() - loggedAt >= logEveryMs) {
      loggedAt = now();
      log.error("raw messages are unavailable", { problem: error.message });
    }
    return new Refusal("overloaded", "Raw messages are temporarily unavailable. Try again in a moment.", {
      retryAfterSeconds: 5,
    });
  };
}
