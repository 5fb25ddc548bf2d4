// Gmail, personal accounts. Its rules and replies: "Email sender guidelines" and "Gmail SMTP errors and codes". No weights
// of its filter or its tabs are published.

import type { Profile } from "./provider.ts";

export const gmail: Profile = {
  id: "gmail",
  name: "Gmail",
  gate: "gmail",
  ifBulk: "from senders of more than 5,000 messages a day",
  hasTabs: true,
  ceiling: 0.75,
  hidden: "how often readers called your mail spam, and how Gmail rates your domain and address",
};
