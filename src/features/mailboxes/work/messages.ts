// Messages between the main thread and the mailbox thread. The mailbox thread has no database and no keys. It gets
// orders and sends news, and continues only from marks that were stored.

import type { Sighting } from "../../../analyzer/reports/sighting.ts";
import type { MessageReading } from "./message-reader.ts";

export type MailboxServer = {
  readonly host: string;
  readonly port: number;
  /** implicit: TLS from the first byte. starttls: TLS before the login. There is no login without TLS. */
  readonly tls: "implicit" | "starttls";
  /** It is a seed inbox: each new message becomes a test. Otherwise, it shows where messages of tests land. */
  readonly inbox?: {
    /** Further names under which its provider records what it saw. */
    readonly trust: readonly string[];
  };
};

export type MailboxLogin =
  | { readonly user: string; readonly password: string }
  | { readonly user: string; readonly accessToken: string };

/** How far a folder was read. */
export type FolderMark = {
  readonly path: string;
  /** Decimal digits. */
  readonly uidValidity: string;
  readonly nextUid: number;
};

/** `id`: one watch of a mailbox. A later watch of the same mailbox has a new ID. */
export type MailboxOrder =
  | {
      readonly order: "watch";
      readonly id: string;
      readonly server: MailboxServer;
      readonly login: MailboxLogin;
      readonly marks: readonly FolderMark[];
      /** Its inbox has categories that X-GM-RAW can search. */
      readonly searchesTabs: boolean;
      /** The operator configured this server, so it may be private. All others must be public. */
      readonly isOperators?: true;
      /** Whole messages are wanted, from its inbox and its spam folder. */
      readonly reading?: MessageReading;
    }
  /** A message of this folder is stored. The next may be read. */
  | { readonly order: "kept"; readonly id: string; readonly path: string }
  /** A new login for a watched or waiting mailbox. Open connections continue. */
  | { readonly order: "login"; readonly id: string; readonly login: MailboxLogin }
  | { readonly order: "drop"; readonly id: string }
  /** A test waits for this mailbox: poll all folders every few seconds until then. */
  | { readonly order: "hurry"; readonly ids: readonly string[]; readonly until: number };

export type MailboxNews =
  | { readonly news: "connected"; readonly id: string; readonly folders: readonly WatchedFolder[] }
  /** It keeps retrying, unless only a user can fix it. `needsLogin`: only with a new login. */
  | {
      readonly news: "trouble";
      readonly id: string;
      /** Shown to users. Contains none of the server's text, which is untrusted. */
      readonly problem: string;
      readonly isFinal: boolean;
      readonly needsLogin: boolean;
      /** The server was reached and refused the login. */
      readonly isRefusal?: true;
    }
  /** The mark to continue from once the message is stored. */
  | {
      readonly news: "message";
      readonly id: string;
      readonly message: ReadMessage | null;
      readonly tooBig: number;
      readonly marks: readonly [FolderMark];
    }
  /** The marks to continue from once the sightings are stored. */
  | {
      readonly news: "sightings";
      readonly id: string;
      readonly sightings: readonly Sighting[];
      readonly marks: readonly FolderMark[];
    };

export type ReadMessage = { readonly raw: Uint8Array; readonly sighting: Sighting };

export type WatchedFolder = { readonly path: string; readonly role: "inbox" | "spam" | "other" };
