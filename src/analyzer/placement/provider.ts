// The mailbox providers that Assay predicts, and what a prediction says.

import type { FindingId, Gate } from "../checks/check.ts";
import table from "./providers.json" with { type: "json" };

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

export type Provider = keyof typeof table;
export const providers = Object.keys(table) as readonly Provider[];

type ProviderRow = Omit<ProviderFacts, "gate"> & { readonly gate: string };

/**
 * The mailbox providers, in the order that reports use. The API's values, the pages, and the predictions are based on this
 * table.
 *
 * Gmail: personal accounts. Its rules and replies: "Email sender guidelines" and "Gmail SMTP errors and codes". No weights
 * of its filter or its tabs are published. Outlook.com: also hotmail.com, live.com and msn.com, which accept no passwords
 * over IMAP. Focused and Other are chosen for each recipient by what they open, which a message doesn't show, so both count
 * as the inbox here. Yahoo: also AOL. It publishes no volume from which its rules for bulk senders apply. iCloud: also
 * me.com and mac.com. Apple Mail sorts categories on the recipient's device, so the server has one inbox. generic: a server
 * with SpamAssassin, rspamd, or similar, as run by companies and small hosts, which uses rules and blocklists, and hardly
 * any reputation data.
 */
export const providerTable = table satisfies Readonly<Record<Provider, ProviderRow>> as Readonly<
  Record<Provider, ProviderFacts>
>;

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
