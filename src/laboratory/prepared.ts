// A prepared message: its sender, its content, and the one problem it has.

import type { Letter } from "./letter.ts";

export type Prepared = {
  readonly id: string;
  readonly title: string;
  /** A sentence that says what is wrong with it. */
  readonly says: string;
  /** The first finding in its report; null if it is healthy. */
  readonly finding: string | null;
  /** The other findings in its report. */
  readonly others?: readonly string[];
  readonly host: SendingHost;
  readonly letter: Letter;
  /** The signing domain; null: not signed. */
  readonly signedBy: string | null;
  /** How a relay changed it after it was signed. */
  readonly changed?: (message: string) => string;
};

export type SendingHost = {
  /** The IP address that it is assumed to come from. */
  readonly address: string;
  readonly helo: string;
  /** The domain of the return path. */
  readonly domain: string;
};

/** The sender that recipients see, even if another host sent it. */
export const authorDomain = "meadow.example";
export const selector = "lab";
/** Prefix of labels that name a prepared message. */
export const labelPrefix = "lab-";
