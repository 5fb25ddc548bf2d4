// The two requests that Amazon SNS asks for: its certificate, and the confirmation of a subscription. Both go only to SNS's
// own hosts (features/hooks/rules/sns.ts), through the guard for strangers' URLs, and follow no redirect.

import type { System } from "../../../platform/system/system.ts";

type Terms = Pick<System, "fetchStranger" | "now">;

export type SnsRequests = {
  /** Null: it can't be had now. */
  readonly fetchCertificate: (url: string) => Promise<string | null>;
  readonly confirm: (url: string) => Promise<boolean>;
};

const request = { timeoutMs: 5_000, maxBytes: 65_536 } as const;
const keptMs = 24 * 3_600_000;
/** So that a certificate that doesn't exist isn't asked for again and again. */
const failureKeptMs = 60_000;
/** SNS has one for each region, and a new one each year. */
const mostKept = 50;

export function createSnsRequests({ fetchStranger, now }: Terms): SnsRequests {
  const certificates = new Map<string, { readonly pem: Promise<string | null>; until: number }>();

  async function fetchPem(url: string): Promise<string | null> {
    const outcome = await fetchStranger(url, request);
    const found = outcome.ok && outcome.status === 200 ? Buffer.from(outcome.body).toString("latin1") : null;
    const entry = certificates.get(url);
    if (entry && found === null) entry.until = now() + failureKeptMs;
    return found;
  }

  return {
    fetchCertificate: (url) => {
      const known = certificates.get(url);
      if (known && known.until > now()) return known.pem;
      if (certificates.size >= mostKept) certificates.clear();
      // In the map before it begins, so that requests at the same time wait for one.
      const { promise, resolve } = Promise.withResolvers<string | null>();
      certificates.set(url, { pem: promise, until: now() + keptMs });
      void fetchPem(url).then(resolve);
      return promise;
    },
    confirm: async (url) => {
      const outcome = await fetchStranger(url, request);
      return outcome.ok && outcome.status === 200;
    },
  };
}
