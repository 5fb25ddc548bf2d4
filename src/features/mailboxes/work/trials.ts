// Tests a login in the thread that will watch the mailbox, so success there means it will work. The first news decides,
// then the connection is dropped.

import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import type { LazyMailboxThread } from "./lazy-thread.ts";
import type { PasswordLogin } from "./logins.ts";
import type { MailboxNews, MailboxServer } from "./messages.ts";

export type MailboxTrial = {
  readonly server: MailboxServer;
  readonly login: PasswordLogin;
  readonly searchesTabs: boolean;
};

export type TrialOutcome =
  | { readonly ok: true }
  /** password: the server was reached and refused the login. */
  | { readonly ok: false; readonly at: "server" | "password"; readonly problem: string };

/** Never rejects. */
export type TryMailbox = (trial: MailboxTrial) => Promise<TrialOutcome>;

type MailboxTrials = {
  readonly tryOut: TryMailbox;
  /** False: the news belongs to no trial. */
  readonly takeNews: (news: MailboxNews) => boolean;
  readonly count: () => number;
  /** Ends all running trials. */
  readonly close: () => void;
};

const trialMs = 10_000;

export function createMailboxTrials(
  { now, random }: Pick<System, "now" | "random">,
  order: LazyMailboxThread["order"],
): MailboxTrials {
  const underWay = new Map<string, (outcome: TrialOutcome) => void>();

  async function tryOut(trial: MailboxTrial): Promise<TrialOutcome> {
    const id = createId("integration", now(), random(16));
    const { promise, resolve } = Promise.withResolvers<TrialOutcome>();
    underWay.set(id, resolve);
    const timer = setTimeout(
      () => resolve(failed(`The mail server did not respond within ${trialMs / 1_000} seconds.`)),
      trialMs,
    );
    order({ order: "watch", id, ...trial, marks: [] });
    const outcome = await promise;
    clearTimeout(timer);
    underWay.delete(id);
    order({ order: "drop", id });
    return outcome;
  }

  return {
    tryOut,
    takeNews: (news) => {
      const resolve = underWay.get(news.id);
      if (resolve && (news.news === "connected" || news.news === "trouble")) resolve(toOutcome(news));
      return resolve !== undefined;
    },
    count: () => underWay.size,
    close: () => {
      for (const resolve of underWay.values()) resolve(failed("This server is shutting down."));
    },
  };
}

function toOutcome(news: Extract<MailboxNews, { readonly news: "connected" | "trouble" }>): TrialOutcome {
  if (news.news === "connected") return { ok: true };
  const isRefusal = news.isRefusal || news.needsLogin || news.isFinal;
  return { ok: false, at: isRefusal ? "password" : "server", problem: news.problem };
}

function failed(problem: string): TrialOutcome {
  return { ok: false, at: "server", problem };
}
