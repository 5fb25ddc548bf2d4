// icloud.com, me.com and mac.com. The categories of Apple's mail program are made on the reader's own device: the server
// knows one inbox. Apple publishes least of the four, hence the lowest ceiling among them.

import type { Profile } from "./provider.ts";

export const icloud: Profile = {
  id: "icloud",
  name: "iCloud",
  gate: "apple",
  ifBulk: "from senders of many messages",
  hasTabs: false,
  ceiling: 0.65,
  hidden: "how Apple and its gateway rate your address and domain",
};
