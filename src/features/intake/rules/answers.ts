// What an address that answers for itself may say, and what it may offer the client's next connection. The feature that has
// such addresses gives `Rehearsals` (smtp/room.ts).

/** What a connection was offered that others aren't. */
export type Special =
  | { readonly kind: "no-tls" }
  | { readonly kind: "bad-cert" }
  /** Announces this size limit. */
  | { readonly kind: "size"; readonly maxBytes: number };

export type Preparation = {
  readonly workspaceId: string;
  readonly rehearsalId: string;
  /** As sent in RCPT. */
  readonly address: string;
  readonly special: Special;
};

/** Many senders may share an address, so the name in EHLO counts too. */
export type PreparedClient = { readonly address: string; readonly helo: string | null };

/** How a special connection ended. */
export type SeenConnection = {
  readonly client: { readonly address: string; readonly helo: string | null; readonly tls: string | null };
  /** How far it came. `mail`: MAIL was refused, for its size. `envelope`: MAIL was accepted. `data`: the whole message. */
  readonly reached: "ehlo" | "handshake-failed" | "handshake" | "mail" | "envelope" | "data";
};

export type Reply = { readonly code: number; readonly lines: readonly string[] };

/** Without a reply, the connection is closed. */
export type RehearsalAnswer = Reply | "hang-up";
