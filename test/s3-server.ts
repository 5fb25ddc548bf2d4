// An S3-compatible server in memory that checks signatures as AWS documents them (Signature Version 4), and misbehaves
// on request. Independent of the client under test: it computes the signature with Node's own crypto.

import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Kept = { bytes: Buffer; modifiedAt: number };
/** "hold" stores objects and never answers. */
type Misbehavior = "hold" | "refuse" | "fail" | "hang" | "cut" | "flood" | "garbage" | null;

export type S3Server = {
  readonly endpoint: string;
  readonly objects: Map<string, Kept>;
  /** Keys of objects that can't be deleted, as with an object lock. */
  readonly locked: Set<string>;
  /** Every request as "PUT key". */
  readonly asked: string[];
  /** Uploads in parts that were neither completed nor aborted. */
  readonly openUploads: () => number;
  /** `after` so many more requests. */
  readonly misbehave: (how: Misbehavior, times?: number, after?: number) => void;
  readonly close: () => Promise<void>;
};

export const s3Keys = { accessKey: "AKIATEST", secretKey: "secret/test+key" };
export const s3Bucket = "mail";

/** ASSAY_S3_URL. */
export function toS3Url(endpoint: string, bucket = s3Bucket): string {
  const [key, secret] = [s3Keys.accessKey, s3Keys.secretKey].map(encodeURIComponent);
  return `${endpoint.replace("://", `://${key}:${secret}@`)}/${bucket}`;
}

export async function startS3Server({ pageSize = 1_000 } = {}): Promise<S3Server> {
  const objects = new Map<string, Kept>();
  const locked = new Set<string>();
  const asked: string[] = [];
  const uploads: Uploads = new Map();
  let [how, left, first]: [Misbehavior, number, number] = [null, 0, 0];
  const isHit = ({ method }: IncomingMessage) =>
    how !== null && (how !== "hold" || method === "PUT") && first-- <= 0 && left-- > 0;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const url = new URL(request.url ?? "/", "http://s3");
    const key = decodeURIComponent(url.pathname).slice(`/${s3Bucket}/`.length);
    asked.push(`${request.method} ${key}`);
    if (isHit(request)) {
      if (how === "hold") objects.set(key, { bytes: body, modifiedAt: Date.now() });
      return misbehave(how, response, objects.get(key)?.bytes);
    }
    const refusal = whyRefused(request, url, body);
    if (refusal) fail(response, refusal === "NoSuchBucket" ? 404 : 403, refusal);
    else if (url.searchParams.has("list-type")) response.end(toList(objects, url.searchParams, pageSize));
    else serve(request, { key, query: url.searchParams, uploads }, { objects, locked, body, response });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    locked,
    asked,
    openUploads: () => uploads.size,
    misbehave: (next, times = Number.POSITIVE_INFINITY, after = 0) => {
      [how, left, first] = [next, times, after];
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

type Exchange = Pick<S3Server, "objects" | "locked"> & {
  readonly body: Buffer;
  readonly response: ServerResponse;
  readonly range?: string | undefined;
};
type Uploads = Map<string, Map<number, Buffer>>;
type Upload = { readonly key: string; readonly query: URLSearchParams; readonly uploads: Uploads };

function serve({ method, headers }: IncomingMessage, upload: Upload, exchange: Exchange): void {
  const { key, query } = upload;
  if (query.has("uploads") || query.has("uploadId")) answerUpload(method, upload, exchange);
  else if (method === "DELETE" && exchange.locked.has(key)) fail(exchange.response, 403, "AccessDenied");
  else answer(method, key, { ...exchange, range: headers.range });
}

/** An upload in parts, which becomes an object with its last request. */
function answerUpload(
  method: string | undefined,
  { key, query, uploads }: Upload,
  { objects, body, response }: Exchange,
): void {
  const id = query.get("uploadId") ?? "";
  const parts = uploads.get(id);
  if (method === "POST" && query.has("uploads")) {
    const fresh = `${key}&${Date.now()}-${Math.random()}`;
    uploads.set(fresh, new Map());
    response.end(`<R><UploadId>${fresh.replaceAll("&", "&amp;")}</UploadId></R>`);
  } else if (method === "GET") response.end(toUploadList(uploads, query.get("prefix") ?? ""));
  else if (parts === undefined) fail(response, 404, "NoSuchUpload");
  else if (method === "PUT") {
    parts.set(Number(query.get("partNumber")), body);
    response.setHeader("etag", `"${createHash("md5").update(body).digest("hex")}"`).end();
  } else if (method === "DELETE") {
    uploads.delete(id);
    response.writeHead(204).end();
  } else {
    const numbers = [...body.toString().matchAll(/<PartNumber>(\d+)</g)].map(([, number]) => Number(number));
    objects.set(key, {
      bytes: Buffer.concat(numbers.map((number) => parts.get(number) ?? Buffer.alloc(0))),
      modifiedAt: Date.now(),
    });
    uploads.delete(id);
    response.end("<CompleteMultipartUploadResult></CompleteMultipartUploadResult>");
  }
}

function answer(method: string | undefined, key: string, { objects, body, response, range }: Exchange): void {
  const kept = objects.get(key);
  if (method === "PUT") objects.set(key, { bytes: body, modifiedAt: Date.now() });
  if (method === "DELETE") objects.delete(key);
  if (method === "PUT") response.setHeader("etag", `"${createHash("md5").update(body).digest("hex")}"`).end();
  else if (method === "DELETE") response.writeHead(204).end();
  else if (kept && range) {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    response.writeHead(206).end(kept.bytes.subarray(Number(from), Number(to) + 1));
  } else if (kept) response.end(kept.bytes);
  else fail(response, 404, "NoSuchKey");
}

function misbehave(how: Misbehavior, response: ServerResponse, bytes: Uint8Array = Buffer.alloc(0)): void {
  if (how === "refuse") fail(response, 403, "AccessDenied");
  if (how === "fail") fail(response, 503, "SlowDown");
  if (how === "garbage") response.end("<Contents><Key>".repeat(1_000));
  if (how === "cut") {
    response.writeHead(200, { "content-length": bytes.length + 10 }).write(bytes);
    setTimeout(() => response.destroy(), 20);
  }
  if (how === "flood") {
    response.writeHead(200);
    const pour = () => {
      while (response.write(Buffer.alloc(65_536)));
      response.once("drain", pour);
    };
    pour();
  }
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string) => createHmac("sha256", key).update(data).digest();
const authorization =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;

function whyRefused(request: IncomingMessage, url: URL, body: Buffer): string | null {
  const [, id, day = "", region = "", names = "", signature] =
    authorization.exec(request.headers.authorization ?? "") ?? [];
  if (id !== s3Keys.accessKey) return "InvalidAccessKeyId";
  const hash = String(request.headers["x-amz-content-sha256"]);
  if (hash !== sha256(body)) return "XAmzContentSHA256Mismatch";
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const headers = names.split(";").map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonical = [request.method, url.pathname, query.join("&"), headers.join(""), names, hash].join("\n");
  const date = String(request.headers["x-amz-date"]);
  const text = ["AWS4-HMAC-SHA256", date, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join("\n");
  const key = [region, "s3", "aws4_request"].reduce(hmac, hmac(`AWS4${s3Keys.secretKey}`, day));
  if (hmac(key, text).toString("hex") !== signature) return "SignatureDoesNotMatch";
  return url.pathname.startsWith(`/${s3Bucket}`) ? null : "NoSuchBucket";
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function toList(objects: S3Server["objects"], query: URLSearchParams, pageSize: number): string {
  const token = query.get("continuation-token") ?? "";
  const after = token === "" ? "" : Buffer.from(token, "base64").toString();
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get("prefix") ?? "") && key > after);
  const page = keys.sort().slice(0, pageSize);
  const entries = page.map((key) => {
    const modified = new Date(objects.get(key)?.modifiedAt ?? 0).toISOString();
    return `<Contents><Key>${key.replaceAll("&", "&amp;")}</Key><LastModified>${modified}</LastModified><Size>${objects.get(key)?.bytes.length}</Size></Contents>`;
  });
  const isCut = page.length < keys.length;
  const next = isCut
    ? `<NextContinuationToken>${Buffer.from(page.at(-1) ?? "").toString("base64")}</NextContinuationToken>`
    : "";
  return `<ListBucketResult>${entries.join("")}<IsTruncated>${isCut}</IsTruncated>${next}</ListBucketResult>`;
}

/** The ID of an upload begins with its key. */
function toUploadList(uploads: Uploads, prefix: string): string {
  const escaped = (text: string) => text.replaceAll("&", "&amp;");
  const ids = [...uploads.keys()].filter((id) => id.startsWith(prefix));
  const toKey = (id: string) => id.slice(0, id.lastIndexOf("&"));
  const entries = ids.map(
    (id) => `<Upload><Key>${escaped(toKey(id))}</Key><UploadId>${escaped(id)}</UploadId></Upload>`,
  );
  return `<ListMultipartUploadsResult>${entries.join("")}</ListMultipartUploadsResult>`;
}
