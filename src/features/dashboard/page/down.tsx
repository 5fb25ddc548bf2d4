// Monitors that are down, above everything else.

import { Moment } from "../../../web/parts/text.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import type { DashboardSummary } from "../contract.ts";

export function DownCard({ monitors }: { readonly monitors: DashboardSummary["downMonitors"] }) {
  if (monitors.length === 0) return null;
  return (
    <section class="card mb-4" aria-labelledby="down-h">
      <h2 id="down-h">Monitors that are down</h2>
      <ul class="list">
        {monitors.map(({ id, name, since, says }) => (
          <li key={id}>
            <span>
              <a class="clip" href={`/monitors/${id}`}>
                {name}
              </a>
              <span class="under small muted">{says}</span>
            </span>
            <span>
              <Severity tone="critical">Down</Severity> since <Moment time={since} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
