// What the dashboard is made of, as it was last read, so that going back to it takes no time, and when it is read again.

import { useEffect } from "preact/hooks";
import type { DashboardSummary } from "../../api/dashboard.ts";
import type { listDomains } from "../../api/domains.ts";
import type { AnswerOf } from "../../api/endpoint.ts";
import type { WorkspaceEvent } from "../../api/events.ts";
import { call } from "../client/call.ts";
import { useLiveReload } from "../client/live.ts";
import { useLoaded } from "../client/loading.ts";
import { useSession } from "../client/session.ts";

type DomainList = AnswerOf<typeof listDomains>;

let lastSummary: { readonly of: string; readonly value: DashboardSummary } | null = null;
let lastDomains: { readonly of: string; readonly value: DomainList } | null = null;

/** The seven days begin at a quarter of an hour. */
const quarterMs = 900_000;

const isOfDomains = ({ type }: WorkspaceEvent) => type === "domain.checked";
/** It counts the domains that fail, too. */
const isOfSummary = (event: WorkspaceEvent) => event.type.startsWith("test.") || isOfDomains(event);

export function useSummary() {
  const { id } = useSession().workspace;
  const kept = lastSummary?.of === id ? lastSummary.value : null;
  const reading = useLoaded(
    id,
    async (signal) => {
      const query = { tz: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC" };
      const value = await call("GET /api/dashboard/summary", { query, signal });
      lastSummary = { of: id, value };
      return value;
    },
    kept,
  );
  useLiveReload(reading.reload, isOfSummary);
  // Mail grows old without an event.
  useEffect(() => {
    const timer = setInterval(reading.reload, quarterMs);
    return () => clearInterval(timer);
  }, [reading.reload]);
  return reading;
}

export function useDomains() {
  const { id } = useSession().workspace;
  const kept = lastDomains?.of === id ? lastDomains.value : null;
  const reading = useLoaded(
    id,
    async (signal) => {
      const value = await call("GET /api/domains", { signal });
      lastDomains = { of: id, value };
      return value;
    },
    kept,
  );
  useLiveReload(reading.reload, isOfDomains);
  return reading;
}
