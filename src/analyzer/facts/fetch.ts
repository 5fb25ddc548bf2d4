export type FetchRequest = {
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Only the status matters. `body` is empty, and a body that is too large, incomplete or endless is not an error. */
  readonly ignoresBody?: boolean;
  /** A body larger than `maxBytes` is cut there, and is not an error. */
  readonly cutsBody?: boolean;
  /** A body that breaks off, or doesn't end in time, is kept as far as it came, and is not an error. */
  readonly keepsPart?: boolean;
  /** Aborts the request like a timeout. */
  readonly signal?: AbortSignal;
  /** How many redirects to follow (default none). Each one is checked by the guard. */
  readonly redirects?: number;
};

export type FetchFailure =
  | "invalid_url"
  | "refused_address"
  | "unresolved"
  | "unreachable"
  | "tls"
  | "timeout"
  | "too_large"
  | "redirect";

/** `redirectedTo`: the last address, if redirects were followed. */
export type FetchOutcome = { readonly redirectedTo?: string } & (
  | {
      readonly ok: true;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array;
      readonly address: string;
      /** Validity of the server's certificate. Absent without TLS. */
      readonly certificate?: { readonly startsAt: number; readonly endsAt: number };
      /** It tried to set a cookie. The cookie itself is never kept. */
      readonly setsCookie?: true;
      /** The body is not complete. */
      readonly isPart?: true;
    }
  | { readonly ok: false; readonly failure: FetchFailure; readonly problem: string }
);

/** Never rejects. A failure is an outcome with a sentence for a person. */
export type FetchDoor = (url: string, request: FetchRequest) => Promise<FetchOutcome>;
