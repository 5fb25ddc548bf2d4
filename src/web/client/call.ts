// A question to the interface. What is refused becomes a Trouble with a sentence for a person; that nobody is logged in is
// told to whoever looks after the session.

import type { ErrorBody } from "../../api/endpoint.ts";

export class Trouble extends Error {
  readonly code: string;
  readonly field: string | null;
  readonly status: number;

  constructor(message: string, { code = "unreachable", field = null, status = 0 }: Partial<Trouble> = {}) {
    super(message);
    this.code = code;
    this.field = field;
    this.status = status;
  }
}

export type Asked = {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** Of a body that is no JSON. */
  readonly mediaType?: string;
  readonly signal?: AbortSignal;
};

/** In whose name; null before somebody has logged in. */
type Standing = { workspaceId: string | null; onLoggedOut: () => void };
const standing: Standing = { workspaceId: null, onLoggedOut: () => {} };

export function askFor(workspaceId: string | null, onLoggedOut: () => void): void {
  standing.workspaceId = workspaceId;
  standing.onLoggedOut = onLoggedOut;
}

export async function ask<T>(method: string, path: string, asked: Asked = {}): Promise<T> {
  const response = await reach(method, path, asked);
  if (response.status === 204) return null as T;
  if (!response.ok) throw await refusalOf(response);
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  if (!isJson) throw toTrouble(response.status, null);
  return (await response.json()) as T;
}

/** The beginning of what is no JSON, as text. The rest is not read. */
export async function askText(
  path: string,
  { signal, mostBytes }: { readonly signal: AbortSignal; readonly mostBytes: number },
): Promise<string> {
  const response = await reach("GET", path, { signal });
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

async function reach(method: string, path: string, asked: Asked): Promise<Response> {
  const { body, mediaType = "application/json", signal } = asked;
  try {
    return await fetch(path + toQuery(asked.query ?? {}), {
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
    throw new Trouble("Assay does not answer. Look whether it runs and whether you are connected.");
  }
}

function toQuery(query: NonNullable<Asked["query"]>): string {
  const given = Object.entries(query).filter(
    (pair): pair is [string, string | number] => pair[1] !== undefined,
  );
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}

function toTrouble(status: number, answer: unknown): Trouble {
  const { error, message, field } = (answer ?? {}) as Partial<ErrorBody>;
  if (error === undefined || message === undefined)
    return new Trouble(`Something between you and Assay answered ${status} in its place.`, { status });
  return new Trouble(message, { code: error, field: field ?? null, status });
}

/** For what a browser asks without our header: a download, a frame, an event stream. */
export function addressOf(path: string, query: Readonly<Record<string, string>> = {}): string {
  const workspace = standing.workspaceId === null ? {} : { workspace: standing.workspaceId };
  return path + toQuery({ ...query, ...workspace });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
