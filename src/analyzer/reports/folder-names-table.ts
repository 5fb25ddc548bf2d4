// What folders are called where no special use tells what they are for. In lower case; a name is compared whole.

import names from "./folder-names.json" with { type: "json" };

/** Spam, by provider and language. */
export const spamNames: ReadonlySet<string> = new Set(names.spam);

/** Where a filter puts advertising. */
export const promotionNames: ReadonlySet<string> = new Set(names.promotions);

/** Parts of an inbox that are folders of their own: somebody looks there. */
export const inboxTabNames: ReadonlySet<string> = new Set(names.inboxTabs);

/** Where mail that was not called spam arrives. */
export const inboxNames: ReadonlySet<string> = new Set(names.inbox);

/** What did not arrive, or was thrown away for any reason. */
export const besideInboxNames: ReadonlySet<string> = new Set(names.besideInbox);

/** Gmail's, which it sorts its inbox by and tells to a search alone. The first that takes a message has it. */
export const gmailCategories = [
  { query: "category:promotions", folder: "promotions", name: "Promotions" },
  { query: "category:social", folder: "inbox", name: "Social" },
  { query: "category:updates", folder: "inbox", name: "Updates" },
  { query: "category:forums", folder: "inbox", name: "Forums" },
  { query: "category:primary", folder: "inbox", name: "Primary" },
] as const;
