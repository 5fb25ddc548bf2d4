// A server with SpamAssassin, rspamd or the like, as companies and small hosts run it. Each is set up otherwise, hence the
// lowest ceiling; it knows rules and lists, and hardly any reputation.

import type { Profile } from "./provider.ts";

export const generic: Profile = {
  id: "generic",
  name: "A usual spam filter",
  gate: "other",
  ifBulk: "from senders of many messages",
  hasTabs: false,
  ceiling: 0.6,
  hidden: "what its operator set and taught it",
};
