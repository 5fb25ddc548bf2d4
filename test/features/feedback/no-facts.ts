// Names of senders without reverse DNS.

import { builtIn } from "../../../src/analyzer/senders/name-sender.ts";
import type { NamingTerms } from "../../../src/features/feedback/work/name-groups.ts";

export const noFacts: NamingTerms = { senderTable: builtIn, findSenderFacts: async () => new Map() };
