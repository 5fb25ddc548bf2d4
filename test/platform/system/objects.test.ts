import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createObjectDirectory } from "../../../src/platform/system/object-directory.ts";
import { createS3Objects } from "../../../src/platform/system/object-s3.ts";
import { isObjectKey, type ObjectStore, ObjectTrouble, toObjectKey } from "../../../src/platform/system/objects.ts";
import { type S3Server, s3Bucket, s3Keys, startS3Server } from "../../s3-server.ts";
import { temporaryFolder } from "../database/temporary.ts";

const keyOf = (number: number) => toObjectKey(`tst_${number}`, Buffer.alloc(16, number));
const message = Buffer.from("Subject: hello\r\n\r\nä\0\xff");

let server: S3Server;
beforeEach(async () => {
  server = await startS3Server({ pageSize: 2 });
});
afterEach(() => server.close());

function s3(terms: Partial<Parameters<typeof createS3Objects>[0]> = {}): ObjectStore {
  return createS3Objects({
    endpoint: server.endpoint,
    bucket: s3Bucket,
    region: "eu-central-1",
    ...s3Keys,
    prefix: "assay/one/",
    timeoutMs: 300,
    ...terms,
  });
}

describe("objects in an S3 store", () => {
  test("stored objects are read back unchanged, and are gone once they are deleted", async () => {
    const objects = s3();
    await objects.put(keyOf(1), message);
    expect(Buffer.compare((await objects.get(keyOf(1), message.length)) ?? Buffer.of(), message)).toBe(0);
    await objects.remove(keyOf(1));
    await objects.remove(keyOf(1));
    await objects.put(keyOf(2), message);
    expect(await objects.get(keyOf(1), message.length)).toBeUndefined();
  });

  test("stored objects are listed once, page by page", async () => {
    const objects = s3();
    for (const number of [1, 2, 3, 4, 5]) await objects.put(keyOf(number), message);
    const keys: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await objects.list(cursor);
      keys.push(...page.objects.map(({ key }) => key));
      cursor = page.next;
    } while (cursor !== null);
    expect(keys.sort()).toEqual([1, 2, 3, 4, 5].map(keyOf));
  });
});

test("stored objects have a key with the test's ID that can't be guessed or lead elsewhere", () => {
  expect(toObjectKey("tst_1", Buffer.alloc(16, 7))).toBe(`tst_1.${"07".repeat(16)}`);
  for (const name of ["../etc/passwd", "tst_1", `tst/1.${"07".repeat(16)}`, `.${"07".repeat(16)}`])
    expect(isObjectKey(name)).toBe(false);
});

describe("the message directory", () => {
  test("the message directory is an error if it isn't mounted, not a missing message", async () => {
    const folder = join(temporaryFolder(), "messages");
    const objects = createObjectDirectory(folder);
    mkdirSync(folder);
    expect(await objects.get(keyOf(1), 1)).toBeUndefined();
    rmSync(folder, { recursive: true });
    await expect(objects.get(keyOf(1), 1)).rejects.toThrow(ObjectTrouble);
  });
});

describe("the S3 message store", () => {
  test("the S3 message store reports a wrong secret", async () => {
    await expect(s3({ secretKey: "wrong" }).put(keyOf(1), message)).rejects.toThrow(
      "the S3 store refuses to write: 403 SignatureDoesNotMatch",
    );
  });

  test("the S3 message store retries one failure, and reports two", async () => {
    server.misbehave("fail", 1);
    await s3().put(keyOf(1), message);
    expect(server.objects.size).toBe(1);
    server.misbehave("fail", 2);
    await expect(s3().put(keyOf(2), message)).rejects.toThrow("503 SlowDown");
  });

  test("the S3 message store reports a missing bucket, not missing messages", async () => {
    await expect(s3({ bucket: "other-bucket" }).get(keyOf(1), 1)).rejects.toThrow("404 NoSuchBucket");
  });

  test("the S3 message store reports a server that hangs, disconnects, or is down within the time limit", async () => {
    await s3().put(keyOf(1), message);
    for (const how of ["hang", "cut"] as const) {
      server.misbehave(how);
      await expect(s3().get(keyOf(1), message.length)).rejects.toThrow(ObjectTrouble);
    }
    await expect(s3({ endpoint: "http://127.0.0.1:1" }).put(keyOf(1), message)).rejects.toThrow(
      "refused the connection",
    );
  });

  test("the S3 message store does not accept a web page as a confirmation of a write", async () => {
    server.misbehave("garbage");
    await expect(s3().put(keyOf(1), message)).rejects.toThrow("did not confirm a write");
  });

  test("the S3 message store cuts an endless object", async () => {
    server.misbehave("flood");
    const bytes = await s3().get(keyOf(1), 1_000);
    expect(bytes?.length).toBeLessThan(100_000);
  });

  test("the S3 message store does not take a web page for an empty list, and skips foreign keys", async () => {
    server.misbehave("garbage", 1);
    await expect(s3().list(null)).rejects.toThrow("did not return a whole list");
    server.objects.set("assay/one/a&b.txt", { bytes: message, modifiedAt: 0 });
    server.objects.set(`assay/two/${keyOf(1)}`, { bytes: message, modifiedAt: 0 });
    expect((await s3().list(null)).objects).toEqual([]);
  });
});
