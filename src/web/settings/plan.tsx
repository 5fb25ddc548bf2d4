// What the plan bounds, how much of it is used, and where it is paid.

import type { Billing, PlanAnswer } from "../../api/billing.ts";
import { call } from "../client/call.ts";
import { useLoaded } from "../client/loading.ts";
import { usePlace } from "../client/router.tsx";
import { useIsOwner } from "../client/session.ts";
import { useDoing } from "../client/use-action.ts";
import { toCount } from "../client/words.ts";
import { ErrorNote, Note } from "../parts/states.tsx";
import { Severity } from "../parts/tone.tsx";
import { Reading, SectionHead } from "./parts.tsx";

export function PlanSection() {
  const reading = useLoaded("billing", (signal) => call("GET /api/billing", { signal }));
  const comesBack = usePlace().query.get("checkout");
  return (
    <>
      <SectionHead title="Plan" lead="What this workspace may have, and how much of it is used." />
      {comesBack === "done" && (
        <p class="note info mb-4" role="status">
          <span>
            <strong>Thank you.</strong> The plan changes as soon as the payment provider confirms the payment,
            mostly within a minute.
          </span>
          <button class="btn small" type="button" onClick={reading.reload}>
            Look again
          </button>
        </p>
      )}
      {comesBack === "cancelled" && <Note>Nothing was paid. The plan is as it was.</Note>}
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
        Nothing is sold on this server: whoever runs it decides on plans and their ceilings.
      </p>
    );
  const others = plans.filter(({ name }) => name !== plan.name);
  return (
    <>
      {trouble && <ErrorNote title="The payment page did not open." message={trouble.message} />}
      {subscription !== null && (
        <section class="card stack-2" aria-labelledby="subscription">
          <h3 id="subscription">Subscription</h3>
          <p>{toStanding(subscription)}</p>
          {isOwner && (
            <button
              class="btn"
              type="button"
              disabled={isBusy}
              onClick={() => leave(() => call("POST /api/billing/portal"))}
            >
              Change or end it
            </button>
          )}
        </section>
      )}
      {others.length > 0 && (
        <PlanChoice
          plans={others}
          isBusy={isBusy}
          // Who pays already changes the plan where it is paid.
          onChoose={
            isOwner && subscription === null
              ? ({ name }: PlanAnswer) =>
                  leave(() => call("POST /api/billing/checkout", { body: { plan: name } }))
              : null
          }
        />
      )}
      {!isOwner && <p class="small muted">An owner of the workspace chooses and pays the plan.</p>}
    </>
  );
}

function toStanding({ status, ends }: NonNullable<Billing["subscription"]>): string {
  if (ends) return "It ends by itself; nothing more is charged.";
  if (status === "active") return "It is paid and renews by itself.";
  if (status === "trialing") return "It is being tried out and renews by itself.";
  if (status === "past_due") return "The last payment failed. It is tried again; until then the plan stays.";
  return `The payment provider says of it: ${status}.`;
}

type PlanChoiceProps = {
  readonly plans: readonly PlanAnswer[];
  readonly isBusy: boolean;
  /** Null: the reader cannot. */
  readonly onChoose: ((plan: PlanAnswer) => void) | null;
};

function PlanChoice({ plans, isBusy, onChoose }: PlanChoiceProps) {
  return (
    <section aria-labelledby="other-plans">
      <div class="sec-h mt-6">
        <h3 id="other-plans">Other plans</h3>
        {onChoose !== null && <p>They are paid on the payment provider’s own page.</p>}
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
                    <dt>{name === "testsPerMonth" ? "Tests a month" : ceilingWords[name]}</dt>
                    <dd>{ceiling === null ? "no ceiling" : toCount(ceiling)}</dd>
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
  alerts: "Alert webhooks",
  seedInboxes: "Seed inboxes",
  tokens: "API tokens",
  members: "Members and invitations",
};

const ceilingNames = Object.keys(ceilingWords) as readonly Ceiling[];

function PlanUse({ plan, use }: Pick<Billing, "plan" | "use">) {
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
