// Where people have their mailboxes: the server, and the kind of password that it takes.

export type MailboxPlace = {
  readonly value: string;
  readonly label: string;
  /** Null: the reader names it. */
  readonly server: { readonly host: string; readonly port: number } | null;
  readonly password: string;
  readonly page: { readonly url: string; readonly name: string } | null;
};

export const mailboxPlaces = [
  {
    ...{ value: "gmail", label: "Gmail", server: { host: "imap.gmail.com", port: 993 } },
    password:
      "Gmail takes an app password, not the one that you log in with. Turn on 2-Step Verification, then make one.",
    page: { url: "https://myaccount.google.com/apppasswords", name: "myaccount.google.com/apppasswords" },
  },
  {
    ...{ value: "yahoo", label: "Yahoo", server: { host: "imap.mail.yahoo.com", port: 993 } },
    password: "Yahoo takes an app password: under Account security, “Generate app password”.",
    page: { url: "https://login.yahoo.com/account/security", name: "login.yahoo.com/account/security" },
  },
  {
    ...{ value: "aol", label: "AOL", server: { host: "imap.aol.com", port: 993 } },
    password: "AOL takes an app password: under Account security, “Generate app password”.",
    page: { url: "https://login.aol.com/account/security", name: "login.aol.com/account/security" },
  },
  {
    ...{ value: "icloud", label: "iCloud", server: { host: "imap.mail.me.com", port: 993 } },
    password: "iCloud takes an app-specific password: under Sign-In and Security.",
    page: { url: "https://account.apple.com", name: "account.apple.com" },
  },
  {
    ...{ value: "other", label: "Another", server: null },
    password: "The mailbox’s own password, or an app password where its provider has them.",
    page: null,
  },
] as const satisfies readonly MailboxPlace[];

export type MailboxPlaceName = (typeof mailboxPlaces)[number]["value"];

/** What a server speaks when nobody says another port (RFC 8314 §3.3, RFC 9051 §2.1). */
export const usualPorts = { tls: 993, starttls: 143 } as const;
export type Security = keyof typeof usualPorts;
