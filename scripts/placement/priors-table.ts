// The points that rows had before the fit, which may move them: engineering priors in the order of magnitude of the
// providers' published rules and of the published scores of rspamd and SpamAssassin. Rows that aren't here keep their
// value in src/analyzer/placement/weights.json: they depend on DNS, which a corpus of old mail can't show.

import type { Provider } from "../../src/analyzer/placement/provider.ts";

type Prior = {
  readonly points: Readonly<Record<Provider, number>>;
  /** Counts like this many messages (each sender counted once) that support the prior. */
  readonly strength: number;
};

const at = (strength: number, gmail: number, outlook: number, yahoo: number, icloud: number, other: number): Prior => ({
  strength,
  points: { gmail, outlook, yahoo, icloud, generic: other },
});

export const priors: Readonly<Record<string, Prior>> = {
  unsubscribing: at(400, 0.3, 0.3, 0.6, 0.3, 0.1),
  "header-faults": at(40, 0.8, 0.6, 0.8, 0.5, 1),
  "unreadable-from": at(40, 2, 3, 2, 1.8, 2),
  "deceiving-sender": at(100, 1.5, 1.5, 1.5, 1.5, 1.5),
  "doubtful-sender": at(100, 0.5, 0.5, 0.5, 0.5, 0.5),
  "reply-elsewhere": at(60, 0.5, 0.7, 0.5, 0.5, 1),
  "false-reply": at(60, 0.4, 0.4, 0.4, 0.4, 0.7),
  "left-over-mark": at(100, 0.3, 0.3, 0.3, 0.3, 0.5),
  "hidden-text": at(100, 0.4, 0.3, 0.3, 0.3, 0.5),
  "pictures-alone": at(60, 0.6, 0.8, 0.6, 0.6, 1.2),
  "active-page": at(100, 0.8, 0.8, 0.8, 0.6, 1),
  form: at(100, 0.3, 0.3, 0.3, 0.2, 0.4),
  "deceiving-link": at(40, 1.2, 1.5, 1.2, 1.2, 1.5),
  "hiding-link": at(100, 0.6, 0.8, 0.6, 0.6, 0.6),
  "html-alone": at(40, 0.3, 0.3, 0.3, 0.3, 0.5),
  "careless-text": at(40, 0.3, 0.4, 0.3, 0.3, 0.6),
  shouting: at(40, 0.3, 0.3, 0.3, 0.3, 0.6),
  "false-urgency": at(60, 0.2, 0.2, 0.2, 0.1, 0.4),
  "nameless-sender": at(60, 0.2, 0.2, 0.2, 0.1, 0.2),
  wording: at(60, 0.15, 0.2, 0.15, 0.15, 0.3),
  "in-conversation": at(200, -0.6, -0.5, -0.6, -0.5, -0.5),
  "list-post": at(200, -0.4, -0.2, -0.4, -0.2, -0.4),
};

/** Relative to the prior. No row may move further. */
export const factorBounds = { least: 0.5, most: 2 } as const;
