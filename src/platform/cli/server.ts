// Commands as clients of a server. Its answers are untrusted: they are bounded, their types are checked, and their text is
// printed without control characters.

import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { isLoopback } from "../../analyzer/addresses.ts";
import type { FetchDoor, FetchOutcome } from "../../analyzer/facts/fetch.ts";
import { parseJsonObject } from "../../analyzer/json.ts";
import { toVisibleCut } from "../../analyzer/visible-text.ts";
import type { AnswerOf, Endpoint, InputOf } from "../contract/endpoint.ts";
import { defineEndpoint, isMedia } from "../contract/endpoint.ts";
import { expiryNoticeDays } from "../contract/token-scopes.ts";
import { Refusal } from "../errors.ts";
import { type Arguments, CommandFailure, type ExitCode, exitCodes, type Option, type Terminal } from "./command.ts";

export const serverOptions: Readonly<Record<string, Option>> = {
  url: { value: "url", doc: "Address of the server's web app. Defaults to ASSAY_URL." },
  token: { value: "token", doc: "API token. Defaults to ASSAY_TOKEN, which other users can't see." },
};

/** What a command needs to know of the answer. */
const whoAmI = defineEndpoint({
  method: "GET",
  path: "/api/me",
  access: "caller",
  token: "read",
  labelToken: "handler",
  summary: "Returns the caller and their workspaces.",
  answer: z.looseObject({
    token: z.looseObject({ expiresAt: z.string().nullable() }).optional(),
    workspaces: z.array(z.looseObject({ id: z.string() })),
  }),
});

/** The codes of commands that ask a server. */
export const serverExitCodes = {
  5: "the server rejected the token",
  6: "the server cannot be reached, or cannot do this now",
} as const;

export type Address = {
  readonly url: URL;
  readonly token: string;
  /** Null: the token's. */
  readonly workspace: string | null;
  /** For what a pipeline's log should show before it is too late. */
  readonly warn: (text: string) => void;
};

/** Null: neither an option nor the environment names a server. An empty --url means this machine. */
export function findServer(args: Arguments, terminal: Terminal): Address | null {
  const { ASSAY_URL, ASSAY_TOKEN } = terminal.environment;
  const written = (args.option("url") ?? ASSAY_URL ?? "").trim();
  const token = (args.option("token") ?? ASSAY_TOKEN ?? "").trim();
  if (written === "") {
    if (args.option("token") === undefined) return null;
    throw new Refusal("invalid_request", "Missing server. Pass --url https://…, or set ASSAY_URL.");
  }
  const url = toBase(written);
  if (token === "")
    throw new Refusal(
      "invalid_request",
      "Missing token. Create one in the app under Settings > API tokens, or on the server with assay token create. Then pass it with --token, or set ASSAY_TOKEN.",
    );
  if (!/^[!-~]{1,500}$/.test(token))
    throw new Refusal("invalid_request", "The token contains characters that no token has.");
  if (url.protocol === "http:" && !isLoopback(url.hostname.replace(/^\[|\]$/g, "")))
    terminal.err(`Warning: ${url.origin} is not encrypted, so others on the network can read the token. Use https.\n`);
  return { url, token, workspace: args.option("workspace") ?? null, warn: terminal.err };
}

/** Without a slash at its end. An address for agents, which ends in /mcp, is the same server. */
function toBase(written: string): URL {
  const url = /^https?:\/\//i.test(written) ? URL.parse(written) : null;
  if (url === null || url.username !== "" || url.password !== "")
    throw new Refusal(
      "invalid_url",
      "--url must be the address of the web app, like https://assay.example.com, without a username or password.",
    );
  url.pathname = withoutSlashes(url.pathname).replace(/\/mcp$/, "");
  url.search = "";
  url.hash = "";
  return url;
}

type Given<E extends Endpoint> = {
  readonly params?: Readonly<InputOf<E["params"]>>;
  readonly query?: InputOf<E["query"]>;
  readonly body?: InputOf<E["body"]>;
  /** For a body that isn't JSON. */
  readonly bytes?: Uint8Array;
};

export type Server = {
  /** The address of the web app, without a slash at its end. */
  readonly base: string;
  /** The server's time. The clock of a build machine may differ. */
  readonly now: () => number;
  readonly call: <E extends Endpoint>(endpoint: E, given?: Given<E>) => Promise<AnswerOf<E>>;
  /** An answer that isn't JSON. */
  readonly download: <E extends Endpoint>(endpoint: E, given?: Given<E>) => Promise<string>;
};

export async function openServer({ url, token, workspace: wanted, warn }: Address): Promise<Server> {
  const { createFetchOperator } = await import("../system/fetch-doors.ts");
  const link = { base: withoutSlashes(url.href), token, ask: createFetchOperator() };
  const first = createServer({ ...link, workspaceId: null });
  const me = await persist(() => first.call(whoAmI));
  const { workspaces } = me;
  if (typeof me.token?.expiresAt === "string") warnOfExpiry(me.token.expiresAt, first.now(), warn);
  const workspace = workspaces.find(({ id }) => wanted === null || id === wanted);
  if (workspace === undefined)
    throw new CommandFailure(
      exitCodes.tokenRejected,
      `The token has no access to ${wanted === null ? "any workspace" : "that workspace"}.`,
    );
  return { ...createServer({ ...link, workspaceId: workspace.id }), now: first.now };
}

function warnOfExpiry(expiresAt: string, now: number, warn: Address["warn"]): void {
  const days = (Date.parse(expiresAt) - now) / 86_400_000;
  if (days > 0 && days <= Math.max(...expiryNoticeDays))
    warn(`Warning: this API token expires on ${toVisibleCut(expiresAt, 10)}. Create a new one in time.\n`);
}

const attempts = 3;
const attemptEveryMs = 1_000;

/** The first contact may meet a server that is just being restarted. */
async function persist<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await ask();
    } catch (error) {
      if (!isAway(error) || attempt === attempts) throw error;
      await pause(attemptEveryMs);
    }
}

/** It may be back in a moment. */
export function isAway(error: unknown): boolean {
  return error instanceof CommandFailure && error.exitCode === exitCodes.serverFailed;
}

/** Without slashes at the end. */
function withoutSlashes(text: string): string {
  let { length } = text;
  while (text[length - 1] === "/") length--;
  return text.slice(0, length);
}

type Link = {
  readonly base: string;
  readonly token: string;
  /** Null: not known yet. */
  readonly workspaceId: string | null;
  readonly ask: FetchDoor;
};

/** A message of the largest size, or a report, which is much smaller. */
const maxBytes = 64 * 1_048_576;
/** Sending a sample waits for the receiving side, and checking a domain for DNS. */
const timeoutsMs = { reading: 15_000, changing: 60_000 };

export function createServer(link: Link): Server {
  let aheadMs = 0;
  const exchange = async (endpoint: Endpoint, given: Given<Endpoint> = {}): Promise<Buffer> => {
    const { bytes, body } = given;
    const media = isMedia(endpoint.body) ? endpoint.body.mediaType : "application/json";
    const content = bytes ?? (body === undefined ? undefined : JSON.stringify(body));
    const outcome = await link.ask(link.base + toTarget(endpoint, given), {
      method: endpoint.method as "GET",
      headers: {
        authorization: `Bearer ${link.token}`,
        ...(link.workspaceId !== null && { "x-workspace-id": link.workspaceId }),
        ...(content !== undefined && { "content-type": media }),
      },
      ...(content !== undefined && { body: content }),
      timeoutMs: timeoutsMs[endpoint.method === "GET" ? "reading" : "changing"],
      maxBytes,
    });
    const time = outcome.ok ? Date.parse(outcome.headers.date ?? "") : Number.NaN;
    if (!Number.isNaN(time)) aheadMs = time - Date.now();
    return readOutcome(outcome, link);
  };
  return {
    base: link.base,
    now: () => Date.now() + aheadMs,
    call: async (endpoint, given) => {
      const body = await exchange(endpoint, given as Given<Endpoint>);
      return readAnswer(endpoint, body.toString("utf8"), link);
    },
    download: async (endpoint, given) => (await exchange(endpoint, given as Given<Endpoint>)).toString("utf8"),
  };
}

function toTarget({ path }: Endpoint, { params = {}, query = {} }: Given<Endpoint>): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  );
  const pairs = Object.entries(query as Record<string, unknown>).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return search === "" ? filled : `${filled}?${search}`;
}

function readOutcome(outcome: FetchOutcome, { base, token }: Link): Buffer {
  if (!outcome.ok)
    throw new CommandFailure(exitCodes.serverFailed, `Cannot reach Assay at ${base}. ${outcome.problem}`);
  const { status, body } = outcome;
  const bytes = Buffer.from(body);
  if (status >= 200 && status < 300) return bytes;
  const { error, message } = parseJsonObject(bytes.toString("utf8")) ?? {};
  if (typeof error !== "string" || typeof message !== "string")
    throw new CommandFailure(
      exitCodes.serverFailed,
      `${base} responded with ${status}, and not like Assay. Is the address right?`,
    );
  // A server could repeat what it got.
  const said = toVisibleCut(message.replaceAll(token, "asy_…"), 500);
  throw new ServerRefusal(toExitCode(status), said, error);
}

/** What the server said, with its code. */
export class ServerRefusal extends CommandFailure {
  readonly code: string;

  constructor(exitCode: ExitCode, message: string, code: string) {
    super(exitCode, message);
    this.name = "ServerRefusal";
    this.code = code;
  }
}

function toExitCode(status: number): ExitCode {
  if (status === 401 || status === 403) return exitCodes.tokenRejected;
  if (status === 404) return exitCodes.nothingCame;
  return status === 400 ? exitCodes.wrongUse : exitCodes.serverFailed;
}

/** What commands can't do without. */
const required: ReadonlySet<PropertyKey | undefined> = new Set(["id", "items", "workspaces"]);

/** A newer server may add fields and values, and an older one may lack some. Other types are not Assay's. */
function readAnswer<E extends Endpoint>({ answer }: E, text: string, { base }: Link): AnswerOf<E> {
  if (answer === null || isMedia(answer)) return null as AnswerOf<E>;
  const wrong = new CommandFailure(exitCodes.serverFailed, `${base} did not respond like Assay. Is the address right?`);
  const json = parseJsonObject(text);
  if (json === undefined || json === null) throw wrong;
  const reading = answer.safeParse(json);
  const isWrong = ({ code, path }: { readonly code: string; readonly path: readonly PropertyKey[] }) =>
    (code === "invalid_union" && path.length < 2) ||
    (code === "invalid_type" && (valueAt(json, path) !== undefined || required.has(path.at(-1))));
  if (!reading.success && reading.error.issues.some(isWrong)) throw wrong;
  return json as AnswerOf<E>;
}

function valueAt(json: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], json);
}
