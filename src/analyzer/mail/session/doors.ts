// Every door, which is a way for a message to come in, with one row for each. Reports, checks, searches, stored values, and
// the API are made from this table. A new door needs a row here, and the code that receives its mail.

/** What can be known about how a message was sent. `session`: the commands and their timing. `bytes`: as sent. */
export const sentParts = ["session", "tls", "client", "helo", "sender", "recipients", "bytes"] as const;
export type SentPart = (typeof sentParts)[number];

/** told: if the person or the service that brings it says so, or if a server recorded it in the message. */
type Knowledge = "yes" | "told" | "no";

type DoorRow = {
  /** Mail arrives, at recipients, and strangers can send it. Otherwise a member hands in a file, which counts nowhere. */
  readonly arrives: boolean;
  readonly knows: Readonly<Record<SentPart, Knowledge>>;
  /** What a session says about the door besides its kind. */
  readonly carries: keyof Carried;
  /** A sentence without its period. */
  readonly says: (names: DoorNames) => string;
  /** The beginning of a sentence about a message. */
  readonly begins: string;
  /** Whose headers say what is not known, and where the handbook has the names that Assay expects there. */
  readonly recorder: { readonly of: string; readonly page: string } | null;
  /** What the transcript is of, if it isn't of the sender's session. */
  readonly transcript: string | null;
};

type DoorNames = { readonly mailbox: string | null; readonly provider: string | null };

/** A receiver's verdicts in its own words, such as `pass`. Nothing that Assay has checked. */
export type RecordedVerdicts = Readonly<Partial<Record<"spf" | "dkim" | "dmarc" | "spam" | "virus", string>>>;

type Carried = {
  readonly nothing: unknown;
  /** `mailbox`: its address. */
  readonly mailbox: { readonly mailbox: string };
  readonly provider: {
    readonly provider: string;
    /** How texts name it. Absent in old sessions. */
    readonly providerName?: string;
    /** What the provider says that it found. Absent if it says nothing. */
    readonly recorded?: RecordedVerdicts;
  };
};

const rows = {
  smtp: {
    arrives: true,
    knows: { session: "yes", tls: "yes", client: "yes", helo: "yes", sender: "yes", recipients: "yes", bytes: "yes" },
    carries: "nothing",
    says: () => "Received over SMTP",
    begins: "The message came over SMTP",
    recorder: null,
    transcript: null,
  },
  /** Tests of earlier versions, which took mail from the operator’s own mail server by LMTP. */
  lmtp: {
    arrives: true,
    knows: { session: "no", tls: "no", client: "told", helo: "told", sender: "yes", recipients: "yes", bytes: "no" },
    carries: "nothing",
    says: () => "Came by LMTP from your mail server",
    begins: "The message came by LMTP from your mail server",
    recorder: { of: "your mail server", page: "without-port-25" },
    transcript: "The LMTP session with your mail server",
  },
  /** Read from a mailbox, which shows only headers. These may name other recipients. */
  imap: {
    arrives: true,
    knows: { session: "no", tls: "no", client: "told", helo: "told", sender: "told", recipients: "no", bytes: "no" },
    carries: "mailbox",
    says: ({ mailbox }) => `Read from the mailbox ${mailbox ?? ""} by IMAP`,
    begins: "The message was read from a mailbox",
    recorder: { of: "this mailbox’s server", page: "without-port-25#read-a-mailbox-over-imap" },
    transcript: null,
  },
  /** Posted by a provider that receives mail. */
  webhook: {
    arrives: true,
    knows: { session: "no", tls: "no", client: "told", helo: "told", sender: "yes", recipients: "yes", bytes: "no" },
    carries: "provider",
    says: ({ provider }) => `Posted by ${provider ?? "a provider"}`,
    begins: "The message was posted by a provider",
    recorder: null,
    transcript: null,
  },
  upload: {
    arrives: false,
    knows: { session: "no", tls: "no", client: "told", helo: "told", sender: "told", recipients: "told", bytes: "no" },
    carries: "nothing",
    says: () => "Uploaded, not received",
    begins: "The message was uploaded",
    recorder: null,
    transcript: null,
  },
} as const satisfies Readonly<Record<string, DoorRow>>;

type Rows = typeof rows;

/** Also the name in searches, in the API, and in the column `door` of a test. */
export type DoorKind = keyof Rows;
export const doors: Readonly<Record<DoorKind, DoorRow>> = rows;
export const doorKinds = Object.keys(rows) as readonly DoorKind[];

/** The door of one message. */
export type Door = { [Kind in DoorKind]: { readonly kind: Kind } & Carried[Rows[Kind]["carries"]] }[DoorKind];

/** Doors whose rows are like this one. */
export type DoorWith<Row> = Extract<
  Door,
  { readonly kind: { [Kind in DoorKind]: Rows[Kind] extends Row ? Kind : never }[DoorKind] }
>;

/** The session isn't ours: it has only what others say. */
export type ToldDoor = DoorWith<{ readonly knows: { readonly session: "no" } }>;

/** Whether Assay spoke with the server that sent the message, so that its session is evidence. */
export function hasOwnSession({ door }: { readonly door: Pick<Door, "kind"> }): boolean {
  return doors[door.kind].knows.session === "yes";
}

/** Whether another server received the message from the sender, and passed it on. */
export function isPassedOn({ door }: { readonly door: Pick<Door, "kind"> }): boolean {
  return doors[door.kind].arrives && !hasOwnSession({ door });
}
