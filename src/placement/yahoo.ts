// Yahoo and AOL mailboxes. Yahoo names no volume at which its rules for bulk senders begin.

import type { Profile } from "./provider.ts";

export const yahoo: Profile = {
  id: "yahoo",
  name: "Yahoo",
  gate: "yahoo",
  ifBulk: "from senders of many messages",
  hasTabs: false,
  ceiling: 0.7,
  hidden: "how readers voted on your mail, and how Yahoo rates your domain, links and network",
};
