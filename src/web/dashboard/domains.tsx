import { Fragment } from "preact";
import type { DomainSummary } from "../../api/domains.ts";
import type { Loaded } from "../client/loading.ts";
import { toPlural } from "../client/words.ts";
import { ErrorNote } from "../parts/states.tsx";
import { Badge } from "../parts/tone.tsx";
import type { StatedDomain } from "./headline.ts";

const shownAtMost = 5;

type DomainsCardProps = {
  readonly loaded: Loaded<{ readonly items: readonly DomainSummary[]; readonly total: number }>;
  readonly domains: readonly StatedDomain[];
  readonly onRetry: () => void;
};

export function DomainsCard({ loaded, domains, onRetry }: DomainsCardProps) {
  const total = loaded.value?.total ?? 0;
  return (
    <section class="card" aria-labelledby="domains-h">
      <h2 id="domains-h">Domains</h2>
      {loaded.state === "failed" && (
        <ErrorNote
          title="The domains could not be read."
          message={loaded.trouble.message}
          onRetry={onRetry}
        />
      )}
      {loaded.value !== null && total === 0 && (
        <p class="muted">
          No domain is monitored. Assay looks at the DNS records of each hourly and tells you what changes.
        </p>
      )}
      {domains.length > 0 && (
        <ul class="list">
          {domains.slice(0, shownAtMost).map(({ domain: { id, domain }, state }) => (
            <li key={id}>
              <span>
                <a href={`/domains/${id}`}>
                  <DomainName domain={domain} />
                </a>
                <span class="label">{state.line}</span>
              </span>
              <Badge tone={state.tone}>{state.word}</Badge>
            </li>
          ))}
        </ul>
      )}
      <p class="mt-3">
        <a href="/domains">
          {total === 0
            ? "Monitor a domain"
            : total > shownAtMost
              ? `All ${toPlural(total, "domain", "domains")}`
              : "Open the domains"}
        </a>
      </p>
    </section>
  );
}

/** Where it does not fit, it breaks behind a dot. */
function DomainName({ domain }: { readonly domain: string }) {
  const [first, ...others] = domain.split(".");
  return (
    <>
      {first}
      {others.map((label, index) => (
        <Fragment key={index}>
          .<wbr />
          {label}
        </Fragment>
      ))}
    </>
  );
}
