// Objects in an S3-compatible store. aws4fetch signs (AWS Signature Version 4); the requests go through our own exchange
// with its limits. Four calls are needed, so a whole SDK would add 570 KB and 90 ms for nothing. Buckets are part of the
// path, which all S3-compatible stores accept. Every call may be repeated, because a key is written once.

import { createHash } from "node:crypto";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import type { FetchOutcome } from "../../analyzer/facts/fetch.ts";
import { exchangeHttp } from "./http-exchange.ts";
import { isObjectKey, type ListedObject, type ObjectPage, type ObjectStore, ObjectTrouble } from "./objects.ts";

export type S3Terms = {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Before every key. Ends with a slash unless it is empty. */
  readonly prefix: string;
  /** Limits of one try. Tests have less patience. */
  readonly timeoutMs?: number;
};

export type S3Call = {
  readonly method: "GET" | "PUT" | "DELETE" | "POST";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly maxBytes: number;
  readonly cutsBody?: boolean;
};

export type S3Answer = Extract<FetchOutcome, { readonly ok: true }>;

/** Together with the retry, well within the ten minutes that a sender waits after DATA (RFC 5321 §4.5.3.2.6). */
const defaultTimeoutMs = 15_000;
/** For large messages on slow lines: 1 MB/s. */
const bytesPerExtraMs = 1_000;
const triesPerCall = 2;
const retryAfterMs = 200;
const connections = 32;
const pageSize = 1_000;
/** An error's or a page's XML. */
const maxTextBytes = 4_194_304;

export function createS3Objects(terms: S3Terms): ObjectStore {
  const { endpoint, prefix } = terms;
  const agent = createS3Agent(endpoint);
  const ask = (call: S3Call) => askTwice(terms, agent, call);

  return {
    put: async (key, bytes) => {
      const call = { method: "PUT", path: prefix + key, body: bytes, maxBytes: maxTextBytes } as const;
      const { headers } = requireSuccess(await ask(call), "write");
      // Every store names what it stored. A proxy's page with status 200 doesn't.
      if (headers.etag === undefined) throw new ObjectTrouble("the S3 store did not confirm a write");
    },
    get: async (key, sizeBytes) => {
      // One that is too large is damaged. It is cut, and its hash says so.
      const maxBytes = sizeBytes + maxErrorBytes;
      const answer = await ask({ method: "GET", path: prefix + key, maxBytes, cutsBody: true });
      if (answer.status === 404 && codeOf(answer) === "NoSuchKey") return undefined;
      return requireSuccess(answer, "read").body;
    },
    remove: async (key) => {
      const answer = await ask({ method: "DELETE", path: prefix + key, maxBytes: maxTextBytes });
      if (answer.status === 404 && codeOf(answer) === "NoSuchKey") return;
      requireSuccess(answer, "delete");
    },
    list: async (cursor) => {
      const query = {
        "list-type": "2",
        "max-keys": String(pageSize),
        prefix,
        ...(cursor !== null && { "continuation-token": cursor }),
      };
      const answer = await ask({ method: "GET", path: "", query, maxBytes: maxTextBytes });
      return toPage(requireList(answer), prefix);
    },
    close: () => agent.destroy(),
  };
}

export function createS3Agent(endpoint: string): HttpAgent {
  return endpoint.startsWith("https:")
    ? new HttpsAgent({ keepAlive: true, maxSockets: connections })
    : new HttpAgent({ keepAlive: true, maxSockets: connections });
}

export async function askTwice(terms: S3Terms, agent: HttpAgent, call: S3Call): Promise<S3Answer> {
  for (let left = triesPerCall - 1; ; left--) {
    const outcome = await askOnce(terms, agent, call);
    const isPassing = outcome.ok ? outcome.status >= 500 || outcome.status === 429 : outcome.failure !== "tls";
    if (isPassing && left > 0) {
      await pause(retryAfterMs);
      continue;
    }
    if (outcome.ok) return outcome;
    throw new ObjectTrouble(outcome.problem.replace(/\.$/, ""));
  }
}

async function askOnce(
  { endpoint, bucket, region, accessKey, secretKey, timeoutMs = defaultTimeoutMs }: S3Terms,
  agent: HttpAgent,
  { method, path, query, headers, body, maxBytes, cutsBody = false }: S3Call,
): Promise<FetchOutcome> {
  const url = new URL(`${endpoint.replace(/\/$/, "")}/${bucket}${path === "" ? "" : `/${path}`}`);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    region,
    service: "s3",
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    // Covered by the signature, so the store rejects bytes that changed on the way.
    headers: {
      "x-amz-content-sha256": createHash("sha256")
        .update(body ?? "")
        .digest("hex"),
    },
  });
  const signed = await signer.sign();
  const patienceMs = timeoutMs + Math.ceil((body?.length ?? (cutsBody ? maxBytes : 0)) / bytesPerExtraMs);
  const request = {
    method,
    timeoutMs: patienceMs,
    maxBytes,
    cutsBody,
    headers: {
      ...Object.fromEntries(signed.headers),
      ...headers,
      ...(body && { "content-length": String(body.length), "content-type": "application/octet-stream" }),
    },
    ...(body && { body }),
  };
  const signal = AbortSignal.timeout(patienceMs);
  return await exchangeHttp({ url: signed.url, request, addresses: null, signal, agent });
}

export function requireSuccess(answer: S3Answer, verb: string): S3Answer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  const code = codeOf(answer);
  throw new ObjectTrouble(`the S3 store refuses to ${verb}: ${answer.status}${code === undefined ? "" : ` ${code}`}`);
}

/** Anything else would look like an empty list. */
export function requireList(answer: S3Answer): S3Answer {
  if (!Buffer.from(requireSuccess(answer, "list").body).includes("</ListBucketResult>"))
    throw new ObjectTrouble("the S3 store did not return a whole list");
  return answer;
}

const maxErrorBytes = 65_536;
const errorCode = /<Code>([A-Za-z]{1,60})<\/Code>/;

/** Only letters, because it gets into logs and onto pages. */
function codeOf({ body }: S3Answer): string | undefined {
  return errorCode.exec(Buffer.from(body.subarray(0, maxErrorBytes)).toString("utf8"))?.[1];
}

/** Our keys contain nothing that XML escapes, so anything else is skipped. */
function toPage({ headers, body }: S3Answer, prefix: string): ObjectPage {
  const xml = Buffer.from(body).toString("utf8");
  const objects: ListedObject[] = [];
  for (const entry of xml.split("<Contents>").slice(1)) {
    const name = between(entry, "<Key>", "</Key>");
    const modifiedAt = Date.parse(between(entry, "<LastModified>", "</LastModified>"));
    const key = name.startsWith(prefix) ? name.slice(prefix.length) : "";
    if (isObjectKey(key) && !Number.isNaN(modifiedAt)) objects.push({ key, modifiedAt });
  }
  const next = between(xml, "<NextContinuationToken>", "</NextContinuationToken>");
  return { objects, next: next === "" ? null : next.replaceAll("&amp;", "&"), listedAt: readClock(headers.date) };
}

/** The header has whole seconds. Every store sends it (RFC 9110 §6.6.1). */
function readClock(date: string | undefined): number {
  const at = Date.parse(date ?? "");
  return Number.isNaN(at) ? Date.now() : at + 999;
}

export function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  return from < 0 || to < 0 ? "" : text.slice(from + start.length, to);
}
