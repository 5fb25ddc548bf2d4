// What the main thread and the thread that watches seed mailboxes say to each other. The thread holds no database and no
// key: it is told what to watch, and tells what it saw; only what it was told was written goes on from there.

import type { Sighting } from "../../reports/sighting.ts";

export type MailboxServer = {
  readonly host: string;
  readonly port: number;
  /** implicit: TLS from the first byte. starttls: before anything is said of who we are. Without TLS nobody logs in. */
  readonly tls: "implicit" | "starttls";
};

export type MailboxLogin =
  | { readonly user: string; readonly password: string }
  | { readonly user: string; readonly accessToken: string };

/** Where a folder was read up to. */
export type FolderMark = {
  readonly path: string;
  /** Decimal digits. */
  readonly uidValidity: string;
  readonly nextUid: number;
};

/** `id`: of one watch of a mailbox; another watch of the same has another, and means nothing to the thread. */
export type MailboxOrder =
  | {
      readonly order: "watch";
      readonly id: string;
      readonly server: MailboxServer;
      readonly login: MailboxLogin;
      readonly marks: readonly FolderMark[];
      /** Its inbox is sorted by categories that X-GM-RAW tells. */
      readonly isGmail: boolean;
      /** The operator's configuration names the server: it may be private. Else it must be public. */
      readonly isOperators?: true;
    }
  /** A new login for one that is watched, or waits for it; the connections that stand go on. */
  | { readonly order: "login"; readonly id: string; readonly login: MailboxLogin }
  | { readonly order: "drop"; readonly id: string }
  /** A test waits: all folders are looked at every few seconds until then. */
  | { readonly order: "hurry"; readonly ids: readonly string[]; readonly until: number };

export type MailboxNews =
  | { readonly news: "connected"; readonly id: string; readonly folders: readonly WatchedFolder[] }
  /** It goes on trying by itself, unless only a person can mend it; `needsLogin`: with a new login alone. */
  | {
      readonly news: "trouble";
      readonly id: string;
      /** For a person; none of the server's text that could be anybody's. */
      readonly problem: string;
      readonly isFinal: boolean;
      readonly needsLogin: boolean;
      /** The server was reached, and refused the log-in. */
      readonly isRefusal?: true;
    }
  /** Marks are those to go on from once the sightings are kept. */
  | {
      readonly news: "sightings";
      readonly id: string;
      readonly sightings: readonly Sighting[];
      readonly marks: readonly FolderMark[];
    };

export type WatchedFolder = {
  readonly path: string;
  readonly role: "inbox" | "spam" | "other";
};
