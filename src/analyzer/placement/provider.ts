// The mailbox providers that Assay predicts, and what a prediction says.

import type { FindingId, Gate } from "../checks/check.ts";

/** Where a mailbox with a password is read, and which password its server takes. */
type PasswordMailbox = {
  readonly label: string;
  readonly server: { readonly host: string; readonly port: number };
  readonly password: string;
  /** Where that password is made. */
  readonly page: { readonly url: string; readonly name: string };
};

type ProviderFacts = {
  /** As used at the start of a sentence. */
  readonly name: string;
  /** As pages list its mailboxes. */
  readonly label: string;
  /** As texts and shared reports list it. */
  readonly plainName: string;
  /** Its IMAP servers, as its own instructions name them: a seed mailbox there shows its placement. */
  readonly hosts: readonly string[];
  /** What the form for a seed mailbox offers. */
  readonly mailboxes: readonly PasswordMailbox[];
  /** The provider name in gates of findings. */
  readonly gate: Gate["provider"];
  /** Whom its rules for bulk senders bind; completes "… rejects such mail". */
  readonly ifBulk: string;
  /** It publishes that number: 5,000 messages a day. */
  readonly publishesVolume: boolean;
  /** Its inbox has tabs that depend on the message. */
  readonly hasTabs: boolean;
  /** Its IMAP server can be asked which tab a message is in. */
  readonly searchesTabs: boolean;
  /** Deciding factors that no message shows. */
  readonly hidden: string;
};

/**
 * The mailbox providers, in the order that reports use. The API's values, the pages, and the
 * predictions are based on this table.
 */
export const providerTable = {
  // Personal accounts. Its rules and replies: "Email sender guidelines" and "Gmail SMTP errors and codes". No weights of
  // its filter or its tabs are published.
  gmail: {
    name: "Gmail",
    label: "Gmail",
    plainName: "Gmail",
    hosts: ["imap.gmail.com", "imap.googlemail.com"],
    mailboxes: [
      {
        label: "Gmail",
        server: { host: "imap.gmail.com", port: 993 },
        password:
          "Gmail requires an app password instead of your regular one. Turn on 2-Step Verification, then create one.",
        page: { url: "https://myaccount.google.com/apppasswords", name: "myaccount.google.com/apppasswords" },
      },
    ],
    gate: "gmail",
    ifBulk: "from senders of more than 5,000 messages a day",
    publishesVolume: true,
    hasTabs: true,
    searchesTabs: true,
    hidden: "how often recipients reported your mail as spam, and how Gmail rates your domain and IP address",
  },
  // outlook.com, hotmail.com, live.com and msn.com, which accept no passwords over IMAP. Focused and Other are chosen for
  // each recipient by what they open, which a message doesn't show, so both count as the inbox here.
  outlook: {
    name: "Outlook.com",
    label: "Outlook.com",
    plainName: "Outlook.com",
    hosts: ["outlook.office365.com", "imap-mail.outlook.com"],
    mailboxes: [],
    gate: "outlook",
    ifBulk: "from senders of more than 5,000 messages a day",
    publishesVolume: true,
    hasTabs: false,
    searchesTabs: false,
    hidden: "your complaint rate (a main factor) and how Microsoft rates your IP address",
  },
  // Yahoo and AOL mailboxes. Yahoo publishes no volume from which its rules for bulk senders apply.
  yahoo: {
    name: "Yahoo",
    label: "Yahoo and AOL",
    plainName: "Yahoo and AOL",
    hosts: ["imap.mail.yahoo.com", "imap.aol.com"],
    mailboxes: [
      {
        label: "Yahoo",
        server: { host: "imap.mail.yahoo.com", port: 993 },
        password: "Yahoo requires an app password. Create one under Account security, “Generate app password”.",
        page: { url: "https://login.yahoo.com/account/security", name: "login.yahoo.com/account/security" },
      },
      {
        label: "AOL",
        server: { host: "imap.aol.com", port: 993 },
        password: "AOL requires an app password. Create one under Account security, “Generate app password”.",
        page: { url: "https://login.aol.com/account/security", name: "login.aol.com/account/security" },
      },
    ],
    gate: "yahoo",
    ifBulk: "from bulk senders",
    publishesVolume: false,
    hasTabs: false,
    searchesTabs: false,
    hidden: "how recipients rated your mail, or how Yahoo rates your domain, links, and network",
  },
  // icloud.com, me.com and mac.com. Apple Mail sorts categories on the recipient's device, so the server has one inbox.
  icloud: {
    name: "iCloud",
    label: "iCloud",
    plainName: "Apple (iCloud)",
    hosts: ["imap.mail.me.com"],
    mailboxes: [
      {
        label: "iCloud",
        server: { host: "imap.mail.me.com", port: 993 },
        password: "iCloud requires an app-specific password. Create one under Sign-In and Security.",
        page: { url: "https://account.apple.com", name: "account.apple.com" },
      },
    ],
    gate: "apple",
    ifBulk: "from bulk senders",
    publishesVolume: false,
    hasTabs: false,
    searchesTabs: false,
    hidden: "how Apple and its gateway rate your IP address and domain",
  },
  // A server with SpamAssassin, rspamd, or similar, as run by companies and small hosts. Such a server uses rules and
  // blocklists, and hardly any reputation data.
  generic: {
    name: "A typical spam filter",
    label: "Other mailbox hosts",
    plainName: "Other providers",
    hosts: [],
    mailboxes: [],
    gate: "other",
    ifBulk: "from bulk senders",
    publishesVolume: false,
    hasTabs: false,
    searchesTabs: false,
    hidden: "how its operator configured and trained it",
  },
} as const satisfies Readonly<Record<string, ProviderFacts>>;

export type Provider = keyof typeof providerTable;
export const providers = Object.keys(providerTable) as readonly Provider[];

export type Profile = ProviderFacts & { readonly id: Provider };
export const profiles: readonly Profile[] = providers.map((id) => ({ id, ...providerTable[id] }));

export function toPlainName(provider: string): string {
  return profiles.find(({ id }) => id === provider)?.plainName ?? provider;
}

export const predictedFolders = ["inbox", "promotions", "spam", "rejected"] as const;
export type Folder = (typeof predictedFolders)[number];

export type Reason = {
  readonly text: string;
  /** Natural log-odds of spam, or of Promotions against Primary. Null: it decides alone. 0: it only explains. */
  readonly points: number | null;
  readonly finding: FindingId | null;
  /** What would change it. */
  readonly change: string | null;
};

export type Prediction = {
  readonly provider: Provider;
  readonly folder: Folder;
  /** Per folder; they add up to 1. */
  readonly odds: Readonly<Record<Folder, number>>;
  /** The provider's SMTP reply if it rejects the message. */
  readonly smtpReply: string | null;
  /** From 0 to 1: the odds of the folder, times the share of the evidence that is known. */
  readonly confidence: number;
  /** The most important first. */
  readonly reasons: readonly Reason[];
  /** Only if the volume is unknown and a bulk sender's message would go elsewhere. */
  readonly ifLarge?: IfLarge;
};

const openShares = { least: 0.35, most: 0.65 };

/** Delivered, but as likely to spam as to the inbox. Naming one of the two would claim more than is known. */
export function isEitherWay({ rejected, spam }: Prediction["odds"]): boolean {
  const share = spam / (1 - rejected);
  return rejected < 0.5 && share > openShares.least && share < openShares.most;
}

/** The result of the rules for bulk senders, if different. */
export type IfLarge = Pick<Prediction, "folder" | "odds" | "smtpReply"> & {
  /** Only the rules. */
  readonly reasons: readonly Reason[];
};

/** Predictions by one version of the weights. */
export type Placement = {
  readonly version: string;
  /** One per provider. */
  readonly predictions: readonly Prediction[];
};
