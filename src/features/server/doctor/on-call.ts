// The server check inside the running server, for its operator in a browser. It costs DNS queries and connections to our own
// ports. So results are kept for a while, one check serves everyone who waits for it, and domain checks are limited.

import { Refusal } from "../../../platform/errors.ts";
import { createRateLimit } from "../../../platform/http/rate-limit.ts";
import type { Server } from "../../../platform/server.ts";
import { createFairQueue } from "../../../platform/system/fair-queue.ts";
import { requireDomainName } from "../../domains/rules/named-domain.ts";
import { testBlocklist } from "./dns.ts";
import { runDoctor } from "./examine.ts";
import { isReservedName } from "./exchangers.ts";
import { type DomainLook, lookAtDomain } from "./own-domain.ts";
import type { DoctorRow, Probes } from "./row.ts";

type Examined = { readonly examinedAt: number; readonly rows: readonly DoctorRow[] };

export type DoctorOnCall = {
  /** `isFresh`: do not return results from the last minute. */
  readonly examine: (isFresh: boolean) => Promise<Examined>;
  /** Looks up the test entries of a list that is on. */
  readonly testBlocklist: (zone: string) => Promise<DoctorRow>;
  readonly lookAtDomain: (workspaceId: string, typed: string) => Promise<DomainLook>;
};

export type OpenProbes = () => Probes & { readonly close: () => void };

type DoctorTerms = Pick<Server, "config" | "system" | "features" | "serverSettings"> & {
  readonly openProbes: OpenProbes;
};

const keptMs = 60_000;
/** Results this new are returned even for `isFresh`. */
const leastMs = 5_000;
/** In all. */
const looks = { requests: 60, windowMs: 60_000 };
const everyone = "";
const bounds = { atOnce: 2, waitingPerWorkspace: 8, waitingInAll: 16, patienceMs: 10_000 };

export function createDoctorOnCall(terms: DoctorTerms): DoctorOnCall {
  const { config, system, features, serverSettings } = terms;
  const line = createFairQueue("domain checks", bounds);
  let last: Examined | null = null;
  let running: Promise<Examined> | null = null;
  const countLook = createRateLimit({ ...looks, now: system.now, whose: "to check domains and lists" });

  async function run(): Promise<Examined> {
    const isRelayGuarded = serverSettings.sourceOf("sendSmtpUrl") === "saved";
    const rows = await withProbes(terms, (probes) => runDoctor({ config, system, probes, isRelayGuarded }, features));
    last = { examinedAt: system.now(), rows };
    return last;
  }

  return {
    examine: async (isFresh) => {
      const ageMs = last === null ? Number.POSITIVE_INFINITY : system.now() - last.examinedAt;
      if (last !== null && ageMs >= 0 && ageMs < (isFresh ? leastMs : keptMs)) return last;
      running ??= run().finally(() => {
        running = null;
      });
      return running;
    },
    testBlocklist: async (zone) => {
      if (!config.dnsbls.some((one) => one.zone === zone))
        throw new Refusal("not_found", "This list is not turned on.");
      countLook(everyone);
      return testBlocklist(zone, system.dns);
    },
    lookAtDomain: async (workspaceId, typed) => {
      const domain = requireDomainName(typed, "mx.".length);
      if (isReservedName(domain))
        throw new Refusal(
          "invalid_request",
          `${domain} is a reserved name, so mail from the internet cannot reach it. Enter a domain that you own.`,
          { field: "domain" },
        );
      countLook(everyone);
      return line.run(workspaceId, () =>
        withProbes(terms, (probes) => {
          const hostName = config.smtpHostname ?? probes.hostName;
          return lookAtDomain(domain, { config, system, probes, hostName });
        }),
      );
    },
  };
}

async function withProbes<T>({ openProbes }: DoctorTerms, use: (probes: Probes) => Promise<T>): Promise<T> {
  const probes = openProbes();
  try {
    return await use(probes);
  } finally {
    probes.close();
  }
}
