// A store whose raw messages are outside the database.

import { createMessages, type Messages, type Place } from "../../../src/platform/database/messages.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import { createObjectDirectory } from "../../../src/platform/system/object-directory.ts";
import { createS3Objects } from "../../../src/platform/system/object-s3.ts";
import type { ObjectStore } from "../../../src/platform/system/objects.ts";
import { type S3Server, s3Bucket, s3Keys } from "../../s3-server.ts";
import { storeSystem } from "./store-system.ts";
import { temporaryFolder } from "./temporary.ts";

export function s3Objects({ endpoint }: Pick<S3Server, "endpoint">): ObjectStore {
  const place = { endpoint, bucket: s3Bucket, region: "us-east-1", prefix: "assay/", timeoutMs: 500 };
  return createS3Objects({ ...place, ...s3Keys });
}

/** New messages go to `place`; all places can be read. */
export function placesOf(
  server: S3Server,
  system = storeSystem(),
  folder = temporaryFolder(),
): (place: Place) => Messages {
  const objects = { s3: s3Objects(server), directory: createObjectDirectory(folder) };
  return (place) => createMessages({ place, objects, system });
}

export function withMessages<S extends Store>(store: S, messages: Messages): S {
  return { ...store, messages };
}
