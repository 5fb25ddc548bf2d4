// How the domain stands: what to do first, then each area in a line. What is fine, and what isn't known, is folded.

import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { LoadNote } from "../../../web/parts/states.tsx";
import { Words } from "../../../web/parts/text.tsx";
import { Severity, type Tone } from "../../../web/parts/tone.tsx";
import type { MonitoredDomain } from "../contract/domains.ts";
import { areaNames, type DomainStanding, type StandingArea, type StandingItem } from "../rules/standing.ts";

const tones: Readonly<Record<StandingItem["state"], Tone>> = {
  bad: "critical",
  warning: "minor",
  unknown: "unknown",
  next: "info",
  fine: "good",
};

const linkWords: Readonly<Record<StandingArea, string>> = {
  blocklists: "Show the listings",
  records: "Show the records",
  complaints: "Show the rates",
  senders: "Show the senders",
  changes: "Show the changes",
  streams: "Show the streams",
  policy: "Open the policy coach",
};

/** `changes`: how often a member changed what it depends on. */
export function Standing({ domain, changes }: { readonly domain: MonitoredDomain; readonly changes: number }) {
  const { loaded, reload } = useLoaded(`${domain.id} ${domain.checkedAt} ${changes}`, (signal) =>
    call("GET /api/domains/:id/standing", { params: { id: domain.id }, signal }),
  );
  return (
    <section class="standing card" id="standing" aria-label="Standing">
      <LoadNote loaded={loaded} onRetry={reload} lines={6} what="how the domain stands" />
      {loaded.value && <Areas standing={loaded.value} />}
    </section>
  );
}

function Areas({ standing: { says, items } }: { readonly standing: DomainStanding }) {
  const first = items.find((item) => item.says === says);
  const tone = tones[(first ?? items[0])?.state ?? "unknown"];
  const itemsOf = (...states: readonly StandingItem["state"][]) =>
    items.filter((item) => item !== first && states.includes(item.state));
  const open = itemsOf("bad", "warning", "next");
  return (
    <>
      <div class={`first ${tone}`}>
        <Severity tone={tone}>{first ? areaNames[first.area] : "Nothing to fix"}</Severity>
        <h2>
          <Words text={says} />
        </h2>
        {first && (
          <a class="btn primary" href={first.page}>
            {linkWords[first.area]}
          </a>
        )}
      </div>
      {open.length > 0 && <AreaList items={open} />}
      <Fold says="Not known yet" items={itemsOf("unknown")} />
      <Fold says="Fine" items={itemsOf("fine")} />
    </>
  );
}

function AreaList({ items }: { readonly items: readonly StandingItem[] }) {
  return (
    <ul class="areas">
      {items.map(({ area, state, says, page }) => (
        <li key={area}>
          <Severity tone={tones[state]}>{state === "next" ? "Next step" : areaNames[area]}</Severity>
          <span>
            <Words text={says} />
          </span>
          <a href={page}>{linkWords[area]}</a>
        </li>
      ))}
    </ul>
  );
}

function Fold({ says, items }: { readonly says: string; readonly items: readonly StandingItem[] }) {
  const [isOpen, setOpen] = useState(false);
  const [first] = items;
  if (first === undefined) return null;
  return (
    <details class="more" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Severity tone={tones[first.state]}>{says}:</Severity>{" "}
        {items.map(({ area }) => areaNames[area].toLowerCase()).join(", ")}
      </summary>
      <AreaList items={items} />
    </details>
  );
}
