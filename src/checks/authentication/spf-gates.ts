// What large providers answer to mail in bulk of which SPF does not pass.

import type { Gate } from "../check.ts";

export const unprovenSpfGates: readonly Gate[] = [
  { provider: "gmail", sender: "bulk", reply: "550 5.7.27" },
  { provider: "outlook", sender: "bulk", reply: "550 5.7.515" },
];
