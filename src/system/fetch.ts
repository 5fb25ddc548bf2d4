export type FetchRequest = {
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** The status tells all: `body` is empty, and a body that is too large, breaks off or never ends is no failure. */
  readonly ignoresBody?: boolean;
  /** Breaks it off, as if its time were over. */
  readonly signal?: AbortSignal;
  /** How many redirects may be followed; none unless told. Each hop passes the guard again. */
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

export type FetchOutcome =
  | {
      readonly ok: true;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array;
      readonly address: string;
      /** When the server's certificate begins and ends; left out without TLS. */
      readonly certificate?: { readonly startsAt: number; readonly endsAt: number };
    }
  | { readonly ok: false; readonly failure: FetchFailure; readonly problem: string };

/** Never rejects: trouble is an outcome with a sentence for a person. */
export type FetchDoor = (url: string, request: FetchRequest) => Promise<FetchOutcome>;
