// Calls to the API. A refusal becomes a Trouble with a sentence to show. A call without a login also runs the handler
// that the session set.

import type { ErrorBody } from "../../platform/contract/endpoint.ts";
import type {
  AnswerTo,
  Call,
  CallInput,
  CallNeedingNothing,
  Exactly,
  FileInput,
  FilePath,
  PathNeedingNothing,
} from "./endpoints.ts";

export class Trouble extends Error {
  readonly code: string;
  readonly field: string | null;
  /** A value for the field that would be accepted. */
  readonly suggestion: string | null;
  readonly status: number;

  constructor(
    message: string,
    { code = "unreachable", field = null, suggestion = null, status = 0 }: Partial<Trouble> = {},
  ) {
    super(message);
    this.code = code;
    this.field = field;
    this.suggestion = suggestion;
    this.status = status;
  }
}

/** The untyped form of what the functions below accept. */
type CallParts = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** For a body that isn't JSON. */
  readonly mediaType?: string;
  readonly signal?: AbortSignal | undefined;
};

/** The workspace of all calls; null before login. */
type Caller = { workspaceId: string | null; onLoggedOut: () => void; version: string; trouble: string };
const standing: Caller = { workspaceId: null, onLoggedOut: () => {}, version: "", trouble: "" };

/** The server's version, as it answered last. */
export function readVersion(): string {
  return standing.version;
}

const troubleWatchers = new Set<(trouble: string) => void>();

/** What keeps the server from receiving mail, as it answered last, in codes. Empty: nothing. Returns how to stop. */
export function watchTrouble(watcher: (trouble: string) => void): () => void {
  troubleWatchers.add(watcher);
  watcher(standing.trouble);
  return () => void troubleWatchers.delete(watcher);
}

function noteHeaders({ headers }: Response): void {
  const version = headers.get("x-assay-version");
  if (version === null) return;
  standing.version = version;
  const trouble = headers.get("x-assay-trouble") ?? "";
  if (trouble === standing.trouble) return;
  standing.trouble = trouble;
  for (const watcher of troubleWatchers) watcher(trouble);
}

export function setCaller(workspaceId: string | null, onLoggedOut: () => void): void {
  standing.workspaceId = workspaceId;
  standing.onLoggedOut = onLoggedOut;
}

/** `call("GET /api/tests/:id", { params: { id } })`. The endpoint's types check every part (endpoints.ts). */
export function call<C extends CallNeedingNothing>(endpoint: C): Promise<AnswerTo<C>>;
export function call<C extends Call, const G extends CallInput<C>>(
  endpoint: C,
  given: G & Exactly<G, CallInput<C>>,
): Promise<AnswerTo<C>>;
export async function call(endpoint: string, given: CallParts = {}): Promise<unknown> {
  const [method = "", path = ""] = endpoint.split(" ");
  const response = await reach(method, path, given);
  noteHeaders(response);
  if (response.status === 204) return null;
  if (!response.ok) throw await refusalOf(response);
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  if (!isJson) throw toTrouble(response.status, null);
  return await response.json();
}

/** The first bytes of a file as text. The rest isn't read. */
export async function readText<P extends FilePath>(
  path: P,
  given: FileInput<P> & { readonly signal: AbortSignal },
  mostBytes: number,
): Promise<string> {
  const response = await reach("GET", path, given);
  if (!response.ok || response.body === null) throw await refusalOf(response);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let left = mostBytes;
  while (left > 0) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.length;
  }
  await reader.cancel();
  return text;
}

async function refusalOf(response: Response): Promise<Trouble> {
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  const trouble = toTrouble(response.status, isJson ? await response.json() : null);
  if (trouble.code === "missing_token") standing.onLoggedOut();
  return trouble;
}

async function reach(method: string, path: string, given: CallParts): Promise<Response> {
  const { body, mediaType = "application/json", signal } = given;
  try {
    return await fetch(toAddress(path, given), {
      method,
      headers: {
        ...(standing.workspaceId === null ? {} : { "x-workspace-id": standing.workspaceId }),
        ...(body === undefined ? {} : { "content-type": mediaType }),
      },
      ...(body === undefined ? {} : { body: mediaType === "application/json" ? JSON.stringify(body) : body }),
      ...(signal === undefined ? {} : { signal }),
    } as RequestInit);
  } catch (error) {
    if ((error as Error).name === "AbortError") throw error;
    throw new Trouble("Can’t reach Assay. Check the server and your connection.");
  }
}

function toAddress(path: string, { params = {}, query = {} }: CallParts): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const given = Object.entries(query).filter((pair): pair is [string, string | number] => pair[1] !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? filled : `${filled}?${text}`;
}

function toTrouble(status: number, answer: unknown): Trouble {
  const { error, message, field = null, suggestion = null } = (answer ?? {}) as Partial<ErrorBody>;
  if (error === undefined || message === undefined)
    return new Trouble(
      `A server between you and Assay returned status ${status}. Try again, or ask your administrator.`,
      { status },
    );
  return new Trouble(message, { code: error, field, suggestion, status });
}

/** For requests without custom headers: a download, a frame, an event stream. */
export function addressOf<P extends PathNeedingNothing>(path: P): string;
export function addressOf<P extends FilePath, const G extends FileInput<P>>(
  path: P,
  given: G & Exactly<G, FileInput<P>>,
): string;
export function addressOf(path: string, { params = {}, query = {} }: CallParts = {}): string {
  const workspace = standing.workspaceId === null ? {} : { workspace: standing.workspaceId };
  return toAddress(path, { params, query: { ...query, ...workspace } });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
