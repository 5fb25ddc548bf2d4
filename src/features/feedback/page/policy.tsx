// Advice on a domain's DMARC policy: whether the next step is safe, what it would do, and what to fix first.

import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useArrival, useTitle } from "../../../web/client/router.tsx";
import { useDoing } from "../../../web/client/use-action.ts";
import { toCount, toPlural } from "../../../web/client/words.ts";
import { Copyable } from "../../../web/parts/copy.tsx";
import { PageHeading } from "../../../web/parts/heading.tsx";
import { EmptyState, ErrorNote, LoadNote } from "../../../web/parts/states.tsx";
import { Badge, type Tone } from "../../../web/parts/tone.tsx";
import type { PolicyCoach as Coach } from "../contract/policy-coach.ts";
import { toPolicyLead, toPolicyTitle } from "./feedback-words.ts";
import { Inherited, Published } from "./policy-record.tsx";
import { Sources } from "./policy-sources.tsx";

function readCoach(id: string, signal: AbortSignal) {
  return call("GET /api/domains/:id/policy-coach", { params: { id }, signal });
}

export function PolicyPage({ id }: { readonly id: string }) {
  const { loaded, reload } = useLoaded(id, (signal) => readCoach(id, signal));
  const coach = loaded.value;
  useTitle(coach ? `DMARC policy of ${coach.domain}` : "DMARC policy");
  useArrival(coach !== null);
  if (loaded.state === "failed" && loaded.trouble.code === "not_found")
    return (
      <EmptyState icon="globe" title="Domain not found" isPage>
        <p>It was removed or belongs to another workspace.</p>
        <a class="btn" href="/domains">
          All domains
        </a>
      </EmptyState>
    );
  return (
    <>
      <p>
        <a href={`/domains/${id}`}>{coach ? coach.domain : "Domain"}</a>
      </p>
      <LoadNote loaded={loaded} onRetry={reload} lines={10} what="the advice" />
      {coach && (
        <>
          <PageHeading label={`DMARC policy of ${coach.domain}`} title={toPolicyTitle(coach)} lead={coach.says} />
          <p class="muted measure">{toPolicyLead(coach)}</p>
          <Step coach={coach} />
          <Criteria coach={coach} id={id} />
          <Reporters coach={coach} />
          <Sources coach={coach} id={id} onMarked={reload} />
          <Subdomains coach={coach} />
          <Stored coach={coach} id={id} />
        </>
      )}
    </>
  );
}

function Step({ coach }: { readonly coach: Coach }) {
  const { policy, next, present, isSafe, npReject, recordAt } = coach;
  if (recordAt !== null) return <Inherited coach={coach} />;
  const isFirst = policy === null && present !== null;
  const record = isFirst ? present : isSafe === true ? (next?.record ?? present) : present;
  return (
    <section class="card stack" aria-labelledby="step-h">
      <h2 id="step-h">{toStepWords(coach, isFirst)}</h2>
      <Published coach={coach} isFirst={isFirst} />
      {record !== null && (
        <>
          <p>
            TXT record at <code>{record.name}</code>:
          </p>
          <Copyable text={record.value} what="the DMARC record" />
        </>
      )}
      {next !== null && <NextStep next={next} coach={coach} />}
      {npReject && (
        <p class="measure small muted">
          You can add <code>np=reject</code>, which only applies to subdomains that don’t exist in DNS. No subdomain in
          the reports sends mail that passes.
        </p>
      )}
    </section>
  );
}

function toStepWords({ isSafe, next }: Coach, isFirst: boolean): string {
  if (isFirst) return "Publish first";
  if (next === null) return "Keep";
  return isSafe === true ? "Publish next" : "Keep for now";
}

type NextStepProps = { readonly next: NonNullable<Coach["next"]>; readonly coach: Coach };

function NextStep({ next, coach }: NextStepProps) {
  return (
    <>
      {coach.isSafe === true ? (
        <p class="measure">{next.says}</p>
      ) : (
        <details class="more">
          <summary>The next step, once all criteria are met</summary>
          <p class="measure mt-2">{next.says}</p>
          <Copyable text={next.record.value} what="the next DMARC record" />
        </details>
      )}
      {next.tag.startsWith("p=") && <p class="measure">{toLostWords(next.p, coach)}</p>}
    </>
  );
}

function toLostWords(p: string, { messages, lost }: Coach): string {
  if (messages === 0) return "Without reports, it isn’t known which mail a stricter policy would affect.";
  if (lost.messages === 0) return "No reported message fails DMARC, so a stricter policy would have affected none.";
  return `With p=${p} in force, receivers would have been asked to ${p} ${toPlural(lost.messages, "message", "messages")}: ${toCount(lost.known)} from known sources, ${toCount(lost.forwarded)} that look forwarded, and ${toCount(lost.unknown)} from sources that aren’t authenticated.`;
}

type CriterionId = Coach["criteria"][number]["id"];

/** Where the counts of a criterion are. */
function toCountsPath(id: CriterionId, domainId: string): string {
  if (id === "open-problems") return `/domains/${domainId}#feedback`;
  return id === "days" || id === "reporters" ? `/domains/${domainId}#senders` : "#sources-h";
}

function toCountsWords(id: CriterionId): string {
  if (id === "open-problems") return "See problems";
  return id === "days" || id === "reporters" ? "See reports" : "See sources";
}

const metLooks: Readonly<Record<"true" | "false" | "null", { readonly tone: Tone; readonly word: string }>> = {
  true: { tone: "good", word: "Met" },
  false: { tone: "major", word: "Not met" },
  null: { tone: "unknown", word: "Not enough data" },
};

type CriteriaProps = { readonly coach: Coach; readonly id: string };

function Criteria({ coach: { criteria, next, messages }, id: domainId }: CriteriaProps) {
  if (next === null) return null;
  return (
    <section class="sec" aria-labelledby="criteria-h">
      <h2 id="criteria-h">When the next step is safe</h2>
      <p>
        Anyone can send reports. So each of these must also hold without any one reporter, except google.com and
        microsoft.com.
      </p>
      <ul class="list card mt-2">
        {criteria.map(({ id, met, says }) => {
          const { tone, word } = metLooks[`${met}`];
          return (
            <li key={id}>
              <span>
                {says} {messages > 0 && <a href={toCountsPath(id, domainId)}>{toCountsWords(id)}</a>}
              </span>
              <Badge tone={tone}>{word}</Badge>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Reporters({ coach: { reporterList } }: { readonly coach: Coach }) {
  if (reporterList.length === 0) return null;
  return (
    <section class="sec" aria-labelledby="reporters-h">
      <h2 id="reporters-h">Who reports</h2>
      <p>If you don’t know a name, its figures may be made up.</p>
      <ul class="list card mt-2">
        {reporterList.map(({ domain, messages, passed, days }) => (
          <li key={domain}>
            <span>
              {domain}
              <span class="under small muted">
                {toCount(passed)} of {toPlural(messages, "message passes", "messages pass")}, about{" "}
                {toPlural(days, "day", "days")}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Subdomains({ coach: { subdomains, policy } }: { readonly coach: Coach }) {
  if (subdomains.length === 0 || policy === null) return null;
  return (
    <section class="sec" aria-labelledby="subdomains-h">
      <h2 id="subdomains-h">Subdomains</h2>
      <p>
        Subdomains without a record follow <code>sp={policy.sp}</code>, and those that don’t exist{" "}
        <code>np={policy.np}</code>.
      </p>
      <ul class="list card mt-2">
        {subdomains.map(({ domain, messages, failed }) => (
          <li key={domain}>
            <span>{domain}</span>
            <span>
              {toCount(failed)} of {toPlural(messages, "message fails", "messages fail")}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The same for mail that was received here, and whether the preview of the record agrees. */
function Stored({ coach: { stored, next }, id }: { readonly coach: Coach; readonly id: string }) {
  const { isBusy, trouble, run } = useDoing();
  const [found, setFound] = useState<{ readonly seen: number; readonly affected: number } | null>(null);
  const { seen, failed, unknown, action, record } = stored;
  if (seen === 0 || next === null || record === null) return null;
  const check = () =>
    run(async () => {
      const records = [{ name: next.record.name, type: "TXT" as const, values: [record] }];
      const { messages } = await call("POST /api/domains/:id/what-if", { params: { id }, body: { records } });
      const affected = messages.changes.filter(({ after }) => after.dmarcAction === action).length;
      setFound({ seen: messages.seen, affected });
    });
  return (
    <section class="sec" aria-labelledby="stored-h">
      <h2 id="stored-h">Your stored test mail</h2>
      <div class="card stack mt-2">
        <p class="measure">
          Of the newest {toPlural(seen, "test", "tests")} from this domain, {failed === 0 ? "none" : toCount(failed)}{" "}
          {failed === 1 ? "fails" : "fail"} DMARC.{" "}
          {failed > 0 && (
            <>
              <code>{record}</code> would ask receivers to {action} {failed === 1 ? "it" : "them"}.{" "}
            </>
          )}
          {unknown > 0 &&
            `${toCount(unknown)} ${unknown === 1 ? "has" : "have"} no DMARC result, so nothing is known about ${unknown === 1 ? "it" : "them"}.`}
        </p>
        <div class="row">
          <button class="btn small" type="button" disabled={isBusy} onClick={check}>
            {isBusy ? "Checking…" : "Preview this record on the stored mail"}
          </button>
        </div>
        <p aria-live="polite">
          {found !== null &&
            `Preview: of ${toPlural(found.seen, "stored message", "stored messages")}, ${toCount(found.affected)} would change to ${action}. ${found.affected === failed && found.seen === seen ? "This agrees." : "This differs, because some messages are treated like this already or couldn’t be analyzed again."}`}
        </p>
        {trouble !== null && <ErrorNote title="The preview failed." message={trouble.message} />}
      </div>
    </section>
  );
}
