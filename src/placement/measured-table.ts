// Made by scripts/placement/evaluate.ts
export const measured = {
  senders: 1,
  ham: 1,
  hamRejected: 0,
  folds: { messages: 1, auc: 0.9, hardAuc: 0.7, recall: 0.8, bins: [{ said: 0.1, seen: 0.1, count: 1 }] },
  halves: { messages: 1, auc: 0.9, hardAuc: 0.7, recall: 0.5, bins: [{ said: 0.1, seen: 0.1, count: 1 }] },
} as const;
