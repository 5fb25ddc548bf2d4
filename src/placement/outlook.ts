// outlook.com, hotmail.com, live.com and msn.com. Focused and Other are chosen for each reader by what he opens, so that no
// message tells which: both are the inbox here.

import type { Profile } from "./provider.ts";

export const outlook: Profile = {
  id: "outlook",
  name: "Outlook.com",
  gate: "outlook",
  ifBulk: "from senders of more than 5,000 messages a day",
  hasTabs: false,
  ceiling: 0.7,
  hidden: "your complaint rate (one of its principal factors) and how Microsoft rates your address",
};
