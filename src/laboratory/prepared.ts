// What a prepared message is: who sends it, what it says, and the one thing that is wrong with it.

import type { Letter } from "./letter.ts";

export type Prepared = {
  readonly id: string;
  readonly title: string;
  /** What is wrong with it, in a sentence. */
  readonly says: string;
  /** What its report must show first; null: it is healthy. */
  readonly finding: string | null;
  /** What its report shows beside that. */
  readonly others?: readonly string[];
  readonly host: SendingHost;
  readonly letter: Letter;
  /** In whose name it is signed; null: by nobody. */
  readonly signedBy: string | null;
  /** What somebody on the way did to it after it was signed. */
  readonly changed?: (message: string) => string;
};

export type SendingHost = {
  /** The address that it is taken to come from. */
  readonly address: string;
  readonly helo: string;
  /** Of the return path. */
  readonly domain: string;
};

/** Whom readers see as the sender, whoever truly sent it. */
export const authorDomain = "meadow.example";
export const selector = "lab";
/** What a label begins with that names a prepared message. */
export const labelPrefix = "lab-";
