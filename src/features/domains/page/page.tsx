// All monitored domains, failing ones first.

import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { AnswerOf } from "../../../platform/contract/endpoint.ts";
import { call } from "../../../web/client/call.ts";
import { useLiveReload } from "../../../web/client/events.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { goTo, useArrival, usePlace, useTitle } from "../../../web/client/router.tsx";
import { toCount, toPlural } from "../../../web/client/words.ts";
import { RoomHeading } from "../../../web/parts/heading.tsx";
import { Icon } from "../../../web/parts/icon.tsx";
import { EmptyState, LoadNote } from "../../../web/parts/states.tsx";
import type { WorkspaceEvent } from "../../events/contract.ts";
import type { DomainSummary, listDomains } from "../contract/domains.ts";
import { CheckedDomain } from "./checked.tsx";
import { AddDomainDialog, AddDomainForm } from "./settings.tsx";
import { DomainRow, hasDriftedLately, isFailing, isSilent, toRank } from "./verdicts.tsx";

type DomainList = AnswerOf<typeof listDomains>;

const isDomainEvent = ({ type }: WorkspaceEvent) => type === "domain.checked";

export function DomainsPage() {
  useTitle("Domains");
  const { query } = usePlace();
  const { loaded, reload } = useLoaded("", readAll);
  useLiveReload(reload, isDomainEvent);
  useArrival(loaded.value !== null);
  const list = loaded.value;
  const asked = query.get("check");
  const monitored = list?.items.find(({ domain }) => domain === asked)?.id;
  useEffect(() => {
    if (monitored !== undefined) goTo(`/domains/${monitored}`, { replace: true });
  }, [monitored]);
  if (asked !== null && list !== null && monitored === undefined) return <CheckedDomain name={asked} />;
  return (
    <>
      <RoomHeading lead={list && list.total > 0 && <Lead domains={list.items} />}>
        {list && list.items.length > 0 && (
          <a class="btn primary" href="/domains?add">
            Add domain
          </a>
        )}
      </RoomHeading>
      <LoadNote loaded={loaded} onRetry={reload} lines={9} what="the domains" />
      {list?.items.length === 0 && <NoDomains />}
      {list && list.items.length > 0 && <Domains domains={list.items} />}
      {query.has("add") && list !== null && list.items.length > 0 && (
        <AddDomainDialog onClose={() => goTo("/domains", { replace: true })} />
      )}
    </>
  );
}

async function readAll(signal: AbortSignal): Promise<DomainList> {
  let list = await call("GET /api/domains", { signal });
  while (list.next !== null) {
    const query = { cursor: list.next };
    const more = await call("GET /api/domains", { query, signal });
    list = { ...more, items: [...list.items, ...more.items] };
  }
  return list;
}

function Lead({ domains }: { readonly domains: readonly DomainSummary[] }) {
  const failing = domains.filter(isFailing).length;
  const drifted = domains.filter(hasDriftedLately).length;
  const unknown = domains.filter(
    (domain) => !isFailing(domain) && (isSilent(domain) || domain.checkedAt === null),
  ).length;
  const exceptions = [
    ...(failing > 0 ? [`${toCount(failing)} failing`] : []),
    ...(drifted > 0 ? [`${toCount(drifted)} changed in the last 24 hours`] : []),
    ...(unknown > 0 ? [`${toCount(unknown)} not fully checked`] : []),
  ];
  return (
    <>
      {[toPlural(domains.length, "domain", "domains"), ...exceptions].join(", ")}
      {exceptions.length === 0 && ", none failing"} · <span class="live">Checked hourly</span>
    </>
  );
}

function NoDomains() {
  return (
    <EmptyState icon="globe" title="No domains yet">
      <p>
        Assay checks your domain’s email records every hour: SPF, DKIM, DMARC, BIMI, and encryption. It shows what to
        fix and can alert you when a record changes.
      </p>
      <AddDomainForm />
    </EmptyState>
  );
}

const manyRows = 10;

function Domains({ domains }: { readonly domains: readonly DomainSummary[] }) {
  const [wanted, setWanted] = useState("");
  const find = useCallback((event: InputEvent) => {
    setWanted((event.currentTarget as HTMLInputElement).value);
  }, []);
  const shown = useMemo(() => {
    const word = wanted.trim().toLowerCase();
    return domains
      .filter(({ domain }) => domain.includes(word))
      .toSorted((a, b) => toRank(a) - toRank(b) || a.domain.localeCompare(b.domain));
  }, [domains, wanted]);
  return (
    <>
      {domains.length > manyRows && (
        <label class="search mb-4">
          <span class="vh">Find a domain</span>
          <Icon name="search" />
          <input
            type="search"
            placeholder={`Search ${toCount(domains.length)} domains`}
            value={wanted}
            onInput={find}
          />
        </label>
      )}
      <div class="card flush">
        <table class="table hover mid fold domains">
          <caption class="vh">Monitored domains, failing first</caption>
          <thead>
            <tr>
              {["Domain", "SPF", "DKIM", "DMARC", "BIMI", "Score", "Checked", "Next"].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((domain) => (
              <DomainRow key={domain.id} domain={domain} />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length === 0 && <p class="mt-4 muted">No domains match “{wanted.trim()}”.</p>}
    </>
  );
}
