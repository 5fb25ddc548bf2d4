// SPF, DKIM and DMARC at the top of a report: each mechanism with its badge.

import type { Tone } from "../../../analyzer/words/plain-words.ts";
import type { Authentication } from "../contract/authentication.ts";
import type { Badge } from "./authentication-badge-words.ts";
import { type AuthenticatedTest, toSteps } from "./authentication-words.ts";

// One or two words for each mechanism, taken from the steps.

const mechanisms = ["spf", "dkim", "dmarc"] as const;

export type NamedBadge = Badge & { readonly name: (typeof mechanisms)[number] };

/** With several signatures, the best is shown: one that passes is enough. */
const bestTones: readonly Tone[] = ["good", "minor", "major", "critical", "unknown"];

export function toBadges(test: AuthenticatedTest, authentication: Authentication): readonly NamedBadge[] {
  const steps = toSteps(test, authentication);
  // It could pass for the From domain, so a failure of another signature doesn't count.
  const unread = authentication.dkim.findIndex(({ result, aligned }) => result === "temperror" && aligned);
  const isUnread = ({ id }: AuthenticationStep) => id === `dkim-${unread}`;
  return mechanisms.flatMap((name) => {
    const [best] = steps
      .filter(({ id }) => id.startsWith(name))
      .toSorted(
        (a, b) =>
          Number(passes(b)) - Number(passes(a)) || Number(isUnread(b)) - Number(isUnread(a)) || rankOf(a) - rankOf(b),
      );
    return best
      ? [{ name, tone: best.tone, word: `${best.word ?? best.badge}${best.isAssumed ? ", assumed" : ""}` }]
      : [];
  });
}

type AuthenticationStep = ReturnType<typeof toSteps>[number];

function rankOf({ tone }: AuthenticationStep): number {
  return bestTones.indexOf(tone);
}

/** For the domain in the From header, even if a check calls its key weak. */
function passes({ word }: AuthenticationStep): boolean {
  return word === "pass";
}
