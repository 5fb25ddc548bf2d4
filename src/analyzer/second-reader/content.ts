// The content of a message as one reader sees it, in a form that can be compared.

export type ReadMailbox = { readonly name: string | null; readonly address: string };

export type ReadFile = {
  readonly name: string | null;
  /** As declared, in lower case. */
  readonly type: string;
  readonly bytes: number;
  /** Null where the reader did not decode it. */
  readonly sha256: string | null;
};

export type ReadContent = {
  /** Null: no From field. */
  readonly from: readonly ReadMailbox[] | null;
  readonly subject: string | null;
  /** "unreadable": there is a Date field that can't be read. */
  readonly date: number | "unreadable" | null;
  readonly text: string | null;
  readonly html: string | null;
  readonly files: readonly ReadFile[];
  readonly links: readonly string[];
  /** The charset that the reader used for the part, for each part of the body. */
  readonly charsets: readonly string[];
};

/** Bodies are compared up to this length. */
export const maxBodyLength = 1_000_000;
export const maxFiles = 300;
