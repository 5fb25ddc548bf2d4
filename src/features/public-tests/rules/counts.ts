// What is counted of public tests, by day.

export const counted = [
  "address",
  "received",
  "pasted",
  "deleted",
  "refused.network",
  "refused.all",
  "refused.proof",
  "refused.full",
  "refused.busy",
  "refused.sender",
  "refused.spent",
  "refused.unknown",
] as const;
export type Counted = (typeof counted)[number];
