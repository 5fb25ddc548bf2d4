// The plan: limits, usage and payment.

import { call } from "../../web/client/call.ts";
import { useLoaded } from "../../web/client/loading.ts";
import { usePlace } from "../../web/client/router.tsx";
import { useIsOwner } from "../../web/client/session.ts";
import { useDoing } from "../../web/client/use-action.ts";
import { toCount } from "../../web/client/words.ts";
import { ErrorNote, Note } from "../../web/parts/states.tsx";
import { Severity } from "../../web/parts/tone.tsx";
import { Reading, SectionHead } from "../../web/settings/parts.tsx";
import type { Billing, PlanAnswer } from "./contract.ts";

export function PlanSection() {
  const reading = useLoaded("billing", (signal) => call("GET /api/billing", { signal }));
  const comesBack = usePlace().query.get("checkout");
  return (
    <>
      <SectionHead title="Plan" lead="Limits and usage for this workspace." />
      {comesBack === "done" && (
        <p class="note info mb-4" role="status">
          <span>
            <strong>Thank you.</strong> The plan changes when the payment provider confirms the payment, usually within
            a minute.
          </span>
          <button class="btn small" type="button" onClick={reading.reload}>
            Refresh
          </button>
        </p>
      )}
      {comesBack === "cancelled" && <Note>Checkout canceled. Your plan didn’t change.</Note>}
      <Reading reading={reading} what="the plan" lines={8}>
        {(billing) => (
          <div class="stack">
            <PlanUse plan={billing.plan} use={billing.use} />
            <Payment billing={billing} />
          </div>
        )}
      </Reading>
    </>
  );
}

function Payment({ billing }: { readonly billing: Billing }) {
  const isOwner = useIsOwner();
  const { isBusy, trouble, run } = useDoing();
  const leave = (open: () => Promise<{ readonly url: string }>) =>
    void run(async () => {
      const { url } = await open();
      window.location.assign(url);
    });
  const { subscription, configured, plans, plan } = billing;
  if (!configured)
    return (
      <p class="small muted measure">
        Billing isn’t enabled on this server. Your administrator sets the plan and its limits.
      </p>
    );
  const others = plans.filter(({ name }) => name !== plan.name);
  return (
    <>
      {trouble && <ErrorNote title="Couldn’t open the payment page." message={trouble.message} />}
      {subscription !== null && (
        <section class="card stack-2" aria-labelledby="subscription">
          <h3 id="subscription">Subscription</h3>
          <p>{toStatusWords(subscription)}</p>
          {isOwner && (
            <button
              class="btn"
              type="button"
              disabled={isBusy}
              onClick={() => leave(() => call("POST /api/billing/portal"))}
            >
              Manage subscription
            </button>
          )}
        </section>
      )}
      {others.length > 0 && (
        <PlanChoice
          plans={others}
          isBusy={isBusy}
          // Subscribers change the plan on the payment provider's page.
          onChoose={
            isOwner && subscription === null
              ? ({ name }: PlanAnswer) => leave(() => call("POST /api/billing/checkout", { body: { plan: name } }))
              : null
          }
        />
      )}
      {!isOwner && <p class="small muted">Only owners can change the plan.</p>}
    </>
  );
}

function toStatusWords({ status, ends }: NonNullable<Billing["subscription"]>): string {
  if (ends) return "Canceled. Ends automatically without further charges.";
  if (status === "active") return "Active. Renews automatically.";
  if (status === "trialing") return "Trial. Renews automatically.";
  if (status === "past_due") return "The last payment failed and will be retried. Your plan stays active until then.";
  return `Status from the payment provider: ${status}.`;
}

type PlanChoiceProps = {
  readonly plans: readonly PlanAnswer[];
  readonly isBusy: boolean;
  /** Null: the reader can't choose. */
  readonly onChoose: ((plan: PlanAnswer) => void) | null;
};

function PlanChoice({ plans, isBusy, onChoose }: PlanChoiceProps) {
  return (
    <section aria-labelledby="other-plans">
      <div class="sec-h mt-6">
        <h3 id="other-plans">Other plans</h3>
        {onChoose !== null && <p>You pay on the payment provider’s page.</p>}
      </div>
      <div class="grid settings-plans">
        {plans.map((plan) => (
          <section class="card stack-2" key={plan.name} aria-label={plan.label}>
            <h4>{plan.label}</h4>
            <dl class="settings-ceilings">
              {ceilingNames.map((name) => {
                const ceiling = plan.ceilings[name];
                return (
                  <div key={name}>
                    <dt>{name === "testsPerMonth" ? "Tests per month" : ceilingWords[name]}</dt>
                    <dd>{ceiling === null ? "No limit" : toCount(ceiling)}</dd>
                  </div>
                );
              })}
            </dl>
            {onChoose !== null && plan.forSale && (
              <button class="btn" type="button" disabled={isBusy} onClick={() => onChoose(plan)}>
                Choose {plan.label}
              </button>
            )}
          </section>
        ))}
      </div>
    </section>
  );
}

type Ceiling = keyof Billing["use"];

const ceilingWords: Readonly<Record<Ceiling, string>> = {
  testsPerMonth: "Tests this month",
  domains: "Monitored domains",
  alerts: "Alerts",
  seedInboxes: "Seed inboxes",
  tokens: "API tokens",
  members: "Members and invitations",
  workspaces: "Workspaces",
};

const ceilingNames = Object.keys(ceilingWords) as readonly Ceiling[];

function PlanUse({ plan, use }: Pick<Billing, "plan" | "use">) {
  const isBound = ceilingNames.some((name) => plan.ceilings[name] !== null);
  return (
    <section class="card stack" aria-labelledby="plan-name">
      <div>
        <h3 id="plan-name">{plan.label}</h3>
        <p class="muted">
          {isBound ? "Requests over a limit are rejected. The test count resets each month (UTC)." : "No limits."}
        </p>
      </div>
      <dl class="settings-use">
        {ceilingNames.map((name) => (
          <Use key={name} label={ceilingWords[name]} used={use[name]} ceiling={plan.ceilings[name]} isBound={isBound} />
        ))}
      </dl>
    </section>
  );
}

type UseProps = {
  readonly label: string;
  readonly used: number;
  readonly ceiling: number | null;
  /** Whether the plan has any limit. */
  readonly isBound: boolean;
};

function Use({ label, used, ceiling, isBound }: UseProps) {
  if (ceiling === null)
    return (
      <div>
        <dt>{label}</dt>
        <dd>
          {toCount(used)} {isBound && <span class="faint">No limit</span>}
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
  if (share >= 1) return <Severity tone="major">Limit reached</Severity>;
  if (share >= 0.8) return <Severity tone="minor">Near the limit</Severity>;
  return null;
}
