import type { Integration } from "../../api/integrations.ts";
import { toWord } from "../client/words.ts";
import { Connections } from "./connections.tsx";
import { ProviderCard } from "./provider-card.tsx";
import { connectionsOf, type SectionProps } from "./rows.ts";

const providers = ["slack", "discord"] as const satisfies readonly Integration["provider"][];

export function Channels({ integrations, isOwner, onChanged }: SectionProps) {
  const channels = connectionsOf(integrations, providers);
  return (
    <section class="mt-7" aria-labelledby="channels-h">
      <div class="sec-h">
        <h2 id="channels-h">
          {channels.length === 0
            ? "Alert channels: none is connected yet"
            : `Alert channels: ${toWord(channels.length)} connected`}
        </h2>
        <p class="measure">
          A channel hears of a domain whose DNS changed, of a test that scored low, and of a bounce or
          complaint. Any other receiver is added <a href="/alerts">as a webhook under Alerts</a>.
        </p>
      </div>
      <Connections kind="channel" connections={channels} onChanged={onChanged} />
      <div class="grid providers">
        {providers.map((provider) => {
          const rows = integrations.filter((one) => one.provider === provider);
          const label = rows[0]?.label ?? "";
          return (
            <ProviderCard
              key={provider}
              rows={rows}
              title={label}
              what={`${label} channel`}
              isOwner={isOwner}
            >
              <p>Posts alerts to a channel that you choose on {label}’s own page. It reads nothing there.</p>
            </ProviderCard>
          );
        })}
      </div>
    </section>
  );
}
