// The steps of every call: admit, validate, handle, answer. In this order, so that a stranger can't learn what a route
// accepts and no stranger's body is read.

import type { IncomingMessage } from "node:http";
import { HTTPResponse } from "h3";
import { type Endpoint, isMedia, workspaceParameter } from "../contract/endpoint.ts";
import { browserCookieName, toBrowserCookie } from "../contract/known-browsers.ts";
import { loginCookieName } from "../contract/login-cookie.ts";
import { cookieName, readCookie, toSetCookie } from "../contract/sessions.ts";
import { storeOf } from "../database/scope.ts";
import { Refusal } from "../errors.ts";
import type { Call, RawBody, Route, SessionCookie } from "../route.ts";
import type { Server } from "../server.ts";
import { type Admit, type Credentials, isScoped } from "./callers/auth.ts";
import type { Admission } from "./callers/caller.ts";
import { labelOf } from "./callers/token-rights.ts";
import type { Exchange } from "./exchange.ts";
import { mostFormBytes, readOnlyPart } from "./multipart.ts";
import type { Provenance } from "./same-origin.ts";
import type { ShareAnswer } from "./shared-answers.ts";
import { validate } from "./validation.ts";
import { isKnownTag, toTag } from "./web-pages.ts";

type Params = Readonly<Record<string, string>>;

export async function answerCall(
  route: Route,
  params: Params,
  exchange: Exchange,
  { admit, share }: { readonly admit: Admit; readonly share: ShareAnswer },
  server: Server,
): Promise<Response | HTTPResponse> {
  const { endpoint } = route;
  const { request, client } = exchange;
  const cookie = createSessionCookie(exchange);
  const credentials = readCredentials(exchange, cookie.secret);
  const { baseUrl } = server.config;
  const isSecure = client.secure || baseUrl?.startsWith("https:") === true;
  const provenance = { ...readProvenance(request), host: client.host, isSecure, baseUrl };
  const admitAgain = () => admit(endpoint, { credentials, client, provenance });
  let admission = await admitAgain();
  exchange.callerIsKnown = admission.caller !== null;
  exchange.workspaceId = admission.workspaceId;
  if (admission.caller?.via === "session" && admission.caller.isProlonged) cookie.set(cookie.secret ?? "");
  const { workspaceId } = admission;
  const store = workspaceId === null ? null : storeOf(server.store, workspaceId);
  const label = labelOf(admission.caller);
  await server.requireOwnLabel(endpoint, label, params, store);
  const query = validate(endpoint.query, readQuery(exchange.query, endpoint, admission), "query");
  const headers = validate(endpoint.headers, pickHeaders(endpoint, request), "headers");
  const body = await takeBody(endpoint, request, async () => {
    admission = await admitAgain();
  });
  const way = {
    client,
    provenance,
    cookie,
    admitAgain,
    followClient: (ended: () => void) => onceEnded(request, ended),
  };
  const isHead = request.method === "HEAD";
  const call = { ...admission, ...way, store, label, params, query, headers, body, isHead };
  // First, so that the tag is never newer than the answer.
  const state = await route.state?.(call as Call, server);
  const known = [server.version, workspaceId, label, exchange.path, query, state];
  const tag = route.state && toTag(Buffer.from(JSON.stringify(known)));
  if (tag && isKnownTag(request.headers["if-none-match"], tag))
    return new HTTPResponse(null, { status: 304, headers: { etag: tag } });
  const handle = () => server.handle(route, call as Call, server, state);
  if (isMedia(endpoint.answer)) return await toMedia((await handle()) as Response, request);
  const toJson = async () => JSON.stringify(await handle());
  const json = tag ? await share(tag, toJson) : await toJson();
  if (endpoint.answer === null) return new HTTPResponse(null, { status: endpoint.status });
  return new HTTPResponse(json, {
    status: endpoint.status,
    headers: { "content-type": "application/json; charset=utf-8", ...(tag && { etag: tag }) },
  });
}

function onceEnded({ socket }: IncomingMessage, ended: () => void): () => void {
  if (socket.readableEnded) queueMicrotask(ended);
  else socket.once("end", ended);
  return () => void socket.off("end", ended);
}

/** The body of an answer to HEAD isn't sent. Canceling it stops the handler that streams it. */
async function toMedia(answer: Response, { method }: IncomingMessage): Promise<Response> {
  if (method === "HEAD") await answer.body?.cancel();
  return answer;
}

function createSessionCookie({ request, client, cookies }: Exchange): SessionCookie {
  const { secure } = client;
  const answer = (name: string, cookie: string) => {
    const before = cookies.findIndex((other) => other.startsWith(`${name}=`));
    cookies.splice(before < 0 ? cookies.length : before, 1, cookie);
  };
  const answerSession = (secret: string | null) => answer(cookieName(secure), toSetCookie(secret, secure));
  const sent = request.headersDistinct.cookie?.join("; ") ?? null;
  return {
    secret: readCookie(sent, cookieName(secure)),
    set: answerSession,
    end: () => answerSession(null),
    knownBrowser: readCookie(sent, browserCookieName(secure)),
    setKnownBrowser: (value) => answer(browserCookieName(secure), toBrowserCookie(value, secure)),
    login: readCookie(sent, loginCookieName(secure)),
  };
}

/** A body may take two minutes to arrive, and the caller's rights may end meanwhile. So `onRead` checks them again. */
async function takeBody(
  { method, body }: Endpoint,
  request: IncomingMessage,
  onRead: () => Promise<void>,
): Promise<unknown> {
  if (method === "GET") return {};
  const read = async <T>(reading: Promise<T>) => {
    const whole = await reading;
    await onRead();
    return whole;
  };
  if (!isMedia(body)) return validate(body, await read(readJsonBody(request)), "body");
  const { "content-length": said, "content-type": contentType = "" } = request.headers;
  const isForm = body.form === true && mediaTypeOf(request) === "multipart/form-data";
  checkMediaType(request, isForm ? "multipart/form-data" : body.mediaType);
  return {
    saidBytes: said === undefined ? null : Number(said),
    read: (limitBytes: number) =>
      read(isForm ? readFile(request, contentType, limitBytes) : readBody(request, limitBytes)),
    header: (name: string) => request.headersDistinct[name]?.join(", ") ?? null,
  } satisfies RawBody;
}

/** A header sent twice is joined, which makes any token or ID invalid. Node alone would silently take the first. */
function readCredentials({ request, query }: Exchange, session: string | null): Credentials {
  const { headersDistinct } = request;
  const queried = new URLSearchParams(query).getAll(workspaceParameter);
  return {
    authorization: headersDistinct.authorization?.join(", ") ?? null,
    session,
    workspaceId: headersDistinct["x-workspace-id"]?.join(", ") ?? null,
    queriedWorkspaceId: queried.length > 0 ? queried.join(", ") : null,
  };
}

function pickHeaders({ headers }: Endpoint, { headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.keys(headers.shape).flatMap((name) => {
      const values = headersDistinct[name];
      return values === undefined ? [] : [[name, values.join(", ")]];
    }),
  );
}

function readProvenance({ headersDistinct }: IncomingMessage): Pick<Provenance, "origin" | "fetchSite" | "fetchDest"> {
  return {
    origin: headersDistinct.origin?.join(", ") ?? null,
    fetchSite: headersDistinct["sec-fetch-site"]?.join(", ") ?? null,
    fetchDest: headersDistinct["sec-fetch-dest"]?.join(", ") ?? null,
  };
}

/** The workspace of a session was read before. The route doesn't see it. */
function readQuery(query: string, { access, method }: Endpoint, { caller }: Admission): Record<string, string> {
  const values = parseQuery(query);
  if (caller?.via === "session" && method === "GET" && isScoped(access)) delete values[workspaceParameter];
  return values;
}

/** Trackers and caches add such names to any URL. */
function isForOthers(name: string): boolean {
  return name.startsWith("_") || name.startsWith("utm_");
}

function parseQuery(query: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  for (const [key, value] of new URLSearchParams(query)) {
    if (isForOthers(key)) continue;
    if (key in values)
      throw new Refusal("invalid_request", "A query parameter appears more than once.", { field: key.slice(0, 100) });
    values[key] = value;
  }
  return values;
}

// Reads a body up to a limit, 1 MiB for JSON. Reads Node's own stream, because canceling the web stream closes the
// connection before the client can read the error.

const largestJsonBytes = 1024 * 1024;
const deepestNesting = 64;

/** No body counts as an empty object, so that errors name the missing fields. */
async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBody(request, largestJsonBytes);
  if (bytes.length === 0) return {};
  checkMediaType(request, "application/json");
  const value = parseJson(bytes);
  checkValue(value, []);
  return value;
}

/** A body of declared size is allocated only once. */
async function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const saidBytes = Number(request.headers["content-length"] ?? 0);
  if (saidBytes > limitBytes) throw tooLarge(limitBytes);
  const whole = Buffer.allocUnsafeSlow(saidBytes);
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onData = (chunk: Buffer) => {
    // Node doesn't let a client send more than it declared.
    if (saidBytes > 0) chunk.copy(whole, sizeBytes);
    else chunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes > limitBytes) reject(tooLarge(limitBytes));
  };
  const onCut = () => reject(invalid("The connection closed before the body was complete."));
  if (request.destroyed) onCut();
  request.on("data", onData).once("end", resolve).once("close", onCut);
  try {
    await promise;
  } finally {
    request.off("data", onData).off("end", resolve).off("close", onCut);
  }
  return saidBytes > 0 ? whole.subarray(0, sizeBytes) : Buffer.concat(chunks);
}

/** The limit is that of the file. */
async function readFile(request: IncomingMessage, contentType: string, limitBytes: number): Promise<Uint8Array> {
  const file = readOnlyPart(await readBody(request, limitBytes + mostFormBytes), contentType);
  if (file.length > limitBytes) throw tooLarge(limitBytes);
  return file;
}

function mediaTypeOf({ headers }: IncomingMessage): string {
  const [mediaType = ""] = (headers["content-type"] ?? "").split(";");
  return mediaType.trim().toLowerCase();
}

function checkMediaType(request: IncomingMessage, wanted: string): void {
  const encoding = request.headers["content-encoding"] ?? "identity";
  const sent = mediaTypeOf(request);
  // RFC 8058 §3.2: a mailbox provider may send either kind of form.
  const isForm = wanted === "application/x-www-form-urlencoded" && sent === "multipart/form-data";
  const isWanted = wanted === "*/*" || sent === wanted || isForm;
  if (isWanted && encoding === "identity") return;
  throw new Refusal("unsupported_media_type", `Send the body uncompressed, with Content-Type: ${wanted}.`);
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw invalid("The body is not valid JSON in UTF-8.");
  }
}

/** Neither database can store NUL or half of a surrogate pair, and our schemas are never deeply nested. */
function checkValue(value: unknown, path: readonly string[]): void {
  if (typeof value === "string") checkText(value, path);
  if (typeof value !== "object" || value === null) return;
  if (path.length === deepestNesting) throw invalid(`The body is nested more than ${deepestNesting} levels deep.`);
  for (const [key, member] of Object.entries(value)) {
    checkText(key, path);
    checkValue(member, [...path, key]);
  }
}

function checkText(text: string, path: readonly string[]): void {
  if (!text.includes("\0") && text.isWellFormed()) return;
  const details = isName(path) ? { field: path.join(".") } : {};
  throw new Refusal(
    "invalid_request",
    "The body contains text with a NUL character or an unpaired surrogate.",
    details,
  );
}

/** Whether one of our schemas may have such a field. Other names are the sender's text and aren't repeated. */
function isName(path: readonly string[]): boolean {
  return path.length > 0 && path.length < 4 && path.every((key) => /^\w{1,30}$/.test(key));
}

function tooLarge(limitBytes: number): Refusal {
  return new Refusal("payload_too_large", `The body is larger than ${limitBytes} bytes, the limit for this endpoint.`);
}

function invalid(message: string): Refusal {
  return new Refusal("invalid_request", message);
}
