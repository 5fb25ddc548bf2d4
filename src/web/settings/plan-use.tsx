import type { Billing } from "../../api/billing.ts";
import { toCount } from "../client/words.ts";
import { Severity } from "../parts/tone.tsx";

type Ceiling = keyof Billing["use"];

export const ceilingWords: Readonly<Record<Ceiling, string>> = {
  testsPerMonth: "Tests this month",
  domains: "Monitored domains",
  alerts: "Alert webhooks",
  seedInboxes: "Seed inboxes",
  tokens: "API tokens",
  members: "Members and invitations",
};

export const ceilingNames = Object.keys(ceilingWords) as readonly Ceiling[];

export function PlanUse({ plan, use }: Pick<Billing, "plan" | "use">) {
  const isBound = ceilingNames.some((name) => plan.ceilings[name] !== null);
  return (
    <section class="card stack" aria-labelledby="plan-name">
      <div>
        <h3 id="plan-name">{plan.label}</h3>
        <p class="muted">
          {isBound
            ? "Beyond a ceiling, more is refused. Tests count anew each month (UTC)."
            : "It has no ceilings."}
        </p>
      </div>
      <dl class="settings-use">
        {ceilingNames.map((name) => (
          <Use
            key={name}
            label={ceilingWords[name]}
            used={use[name]}
            ceiling={plan.ceilings[name]}
            isBound={isBound}
          />
        ))}
      </dl>
    </section>
  );
}

type UseProps = {
  readonly label: string;
  readonly used: number;
  readonly ceiling: number | null;
  /** Of the plan: whether anything in it has a ceiling. */
  readonly isBound: boolean;
};

function Use({ label, used, ceiling, isBound }: UseProps) {
  if (ceiling === null)
    return (
      <div>
        <dt>{label}</dt>
        <dd>
          {toCount(used)} {isBound && <span class="faint">no ceiling</span>}
        </dd>
      </div>
    );
  const share = ceiling === 0 ? 1 : Math.min(used / ceiling, 1);
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {toCount(used)} of {toCount(ceiling)} <Warning share={share} />
      </dd>
      <dd class="bar-of">
        <svg class={toneOf(share)} aria-hidden="true" focusable="false">
          <rect class="track" width="100%" height="100%" rx="4" />
          {share > 0 && <rect class="fill" width={`${share * 100}%`} height="100%" rx="4" />}
        </svg>
      </dd>
    </div>
  );
}

function toneOf(share: number): "major" | "minor" | "info" {
  if (share >= 1) return "major";
  return share >= 0.8 ? "minor" : "info";
}

function Warning({ share }: { readonly share: number }) {
  if (share >= 1) return <Severity tone="major">Used up</Severity>;
  if (share >= 0.8) return <Severity tone="minor">Nearly used up</Severity>;
  return null;
}
