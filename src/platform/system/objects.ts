// Raw messages outside the database, as objects under a key in an S3-compatible store (object-s3.ts). Others may use the
// same place, so what doesn't have the form of such a key is never listed.

export type ObjectStore = {
  /** Durable when it resolves. */
  readonly put: (key: string, bytes: Uint8Array) => Promise<void>;
  /** Undefined only if the store says that there is no such object. */
  readonly get: (key: string, sizeBytes: number) => Promise<Uint8Array | undefined>;
  /** Removing one that isn't there succeeds. */
  readonly remove: (key: string) => Promise<void>;
  /** One page, from after the cursor. */
  readonly list: (cursor: string | null) => Promise<ObjectPage>;
  readonly close: () => void;
};

export type ListedObject = { readonly key: string; readonly modifiedAt: number };
export type ObjectPage = {
  readonly objects: readonly ListedObject[];
  readonly next: string | null;
  /** When it was listed, by the clock that the objects' times come from. */
  readonly listedAt: number;
};

/** The store can't do it now. The message names the reason for the operator, without secrets. */
export class ObjectTrouble extends Error {
  override readonly name = "ObjectTrouble";
}

/** A test's ID and 128 random bits, so that a key is never used twice and can't be guessed. */
export function toObjectKey(testId: string, random: Uint8Array): string {
  return `${testId}.${Buffer.from(random).toString("hex")}`;
}

export function isObjectKey(name: string): boolean {
  return objectKey.test(name);
}

const objectKey = /^[0-9A-Za-z_]{1,64}\.[0-9a-f]{32}$/;
