// Large files in an S3-compatible store, with the same signatures and limits as raw messages (object-s3.ts). A file is
// uploaded in parts that only the last request makes an object, so it is there completely or not at all.

import type { Chunks } from "./age.ts";
import {
  askTwice,
  between,
  createS3Agent,
  requireList,
  requireSuccess,
  type S3Answer,
  type S3Call,
  type S3Terms,
} from "./object-s3.ts";
import { ObjectTrouble } from "./objects.ts";

type StoredFile = { readonly name: string; readonly bytes: number };

export type S3Files = {
  /** Replaces an object of that name. `expectedBytes` decides how large the parts are. */
  readonly put: (name: string, chunks: Chunks, expectedBytes: number) => Promise<void>;
  readonly read: (name: string, bytes: number) => Chunks;
  /** The names in the folder itself. */
  readonly list: () => Promise<StoredFile[]>;
  readonly remove: (name: string) => Promise<void>;
  /** Uploads that a killed process left, whose parts cost money until they end. Not every store lists them. */
  readonly abortUploads: (isLeft: (name: string) => boolean) => Promise<void>;
  readonly close: () => void;
};

/** The least that S3 takes is 5 MB, except for the last part. */
const partBytes = 16_777_216;
/** S3 takes 10,000. */
const mostParts = 9_000;
const readBytes = 8_388_608;
const maxTextBytes = 4_194_304;
/** A folder of backups has some dozens. */
const mostPages = 1_000;

export function createS3Files(terms: S3Terms): S3Files {
  const agent = createS3Agent(terms.endpoint);
  const ask = (call: S3Call) => askTwice(terms, agent, call);
  const pathOf = (name: string) => terms.prefix + name;

  async function upload(name: string, chunks: Chunks, expectedBytes: number): Promise<void> {
    const path = pathOf(name);
    const size = Math.max(partBytes, Math.ceil(expectedBytes / mostParts));
    const uploadId = await begin(ask, path);
    try {
      const etags: string[] = [];
      for await (const part of toParts(chunks, size))
        etags.push(await putPart(ask, { path, uploadId, number: etags.length + 1, part }));
      await complete(ask, { path, uploadId, etags });
    } catch (error) {
      await abort(path, uploadId).catch(() => {}); // the first error counts
      throw error;
    }
  }

  const abort = (path: string, uploadId: string) =>
    ask({ method: "DELETE", path, query: { uploadId }, maxBytes: maxTextBytes });

  return {
    put: upload,
    read: async function* (name, bytes) {
      for (let from = 0; from < bytes; from += readBytes) {
        const to = Math.min(bytes, from + readBytes);
        const headers = { range: `bytes=${from}-${to - 1}` };
        const call = { method: "GET", path: pathOf(name), headers, maxBytes: readBytes, cutsBody: true } as const;
        const { status, body } = requireSuccess(await ask(call), "read");
        if (body.length !== to - from || (status !== 206 && from > 0))
          throw new ObjectTrouble("the S3 store returned another part of the file than it was asked for");
        yield body;
      }
    },
    list: () => listAll(ask, terms.prefix),
    abortUploads: async (isLeft) => {
      for (const { key, uploadId } of await listUploads(ask, terms.prefix))
        if (key.startsWith(terms.prefix) && isLeft(key.slice(terms.prefix.length))) await abort(key, uploadId);
    },
    remove: async (name) => {
      const answer = await ask({ method: "DELETE", path: pathOf(name), maxBytes: maxTextBytes });
      if (answer.status !== 404) requireSuccess(answer, "delete");
    },
    close: () => agent.destroy(),
  };
}

type Ask = (call: S3Call) => Promise<S3Answer>;

async function begin(ask: Ask, path: string): Promise<string> {
  const call = { method: "POST", path, query: { uploads: "" }, maxBytes: maxTextBytes } as const;
  const answer = requireSuccess(await ask(call), "start an upload");
  const uploadId = between(textOf(answer), "<UploadId>", "</UploadId>");
  if (uploadId === "") throw new ObjectTrouble("the S3 store did not start an upload");
  return unescaped(uploadId);
}

type Part = { readonly path: string; readonly uploadId: string; readonly number: number; readonly part: Uint8Array };

async function putPart(ask: Ask, { path, uploadId, number, part }: Part): Promise<string> {
  const query = { partNumber: String(number), uploadId };
  const answer = await ask({ method: "PUT", path, query, body: part, maxBytes: maxTextBytes });
  const { etag } = requireSuccess(answer, "write").headers;
  if (etag === undefined) throw new ObjectTrouble("the S3 store did not confirm a write");
  return etag;
}

type Parts = { readonly path: string; readonly uploadId: string; readonly etags: readonly string[] };

/** The status is 200 even if it fails, because the store answers before it knows. */
async function complete(ask: Ask, { path, uploadId, etags }: Parts): Promise<void> {
  const parts = etags.map((etag, index) => {
    const tag = etag.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    return `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`;
  });
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
  const answer = await ask({ method: "POST", path, query: { uploadId }, body, maxBytes: maxTextBytes });
  if (!textOf(requireSuccess(answer, "write")).includes("<CompleteMultipartUploadResult"))
    throw new ObjectTrouble("the S3 store did not complete an upload");
}

/** Parts of equal size, except for the last one. An empty file has one empty part. */
async function* toParts(chunks: Chunks, size: number): Chunks {
  let part = Buffer.allocUnsafe(size);
  let length = 0;
  let count = 0;
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; ) {
      const taken = Math.min(size - length, chunk.length - from);
      part.set(chunk.subarray(from, from + taken), length);
      length += taken;
      from += taken;
      if (length < size) continue;
      yield part;
      count += 1;
      part = Buffer.allocUnsafe(size);
      length = 0;
    }
  }
  if (length > 0 || count === 0) yield part.subarray(0, length);
}

/** The first page is enough, because those on it are aborted. A store that refuses to list them has its own rules. */
async function listUploads(ask: Ask, prefix: string) {
  const answer = await ask({ method: "GET", path: "", query: { uploads: "", prefix }, maxBytes: maxTextBytes });
  if (answer.status >= 300) return [];
  const entries = textOf(answer).split("<Upload>").slice(1);
  return entries.map((entry) => ({
    key: unescaped(between(entry, "<Key>", "</Key>")),
    uploadId: unescaped(between(entry, "<UploadId>", "</UploadId>")),
  }));
}

const unescaped = (text: string) => text.replaceAll("&amp;", "&");

async function listAll(ask: Ask, prefix: string): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  let cursor = "";
  for (let page = 0; page < mostPages; page += 1) {
    const query = { "list-type": "2", prefix, ...(cursor !== "" && { "continuation-token": cursor }) };
    const xml = textOf(requireList(await ask({ method: "GET", path: "", query, maxBytes: maxTextBytes })));
    for (const entry of xml.split("<Contents>").slice(1)) {
      const key = between(entry, "<Key>", "</Key>");
      const bytes = Number(between(entry, "<Size>", "</Size>"));
      const name = key.slice(prefix.length);
      if (key.startsWith(prefix) && !name.includes("/")) files.push({ name, bytes });
    }
    cursor = unescaped(between(xml, "<NextContinuationToken>", "</NextContinuationToken>"));
    if (cursor === "") return files;
  }
  throw new ObjectTrouble("the list of objects does not end");
}

function textOf({ body }: S3Answer): string {
  return Buffer.from(body).toString("utf8");
}
