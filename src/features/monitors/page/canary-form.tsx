// Adds or edits a canary.

import { useContext, useId, useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import type { BodyOf } from "../../../web/client/endpoints.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { goTo, useArrival, useTitle } from "../../../web/client/router.tsx";
import { troubleAt } from "../../../web/client/use-action.ts";
import { Choice, Field, FormTrouble } from "../../../web/parts/form.tsx";
import { PageHeading } from "../../../web/parts/heading.tsx";
import { ActionForm, Reading, SelectField } from "../../../web/settings/parts.tsx";
import type { MonitorDetail } from "../contract/canaries.ts";
import type { Relay } from "../contract/relays.ts";
import { toOwnZone } from "./days.tsx";

type CanaryInput = BodyOf<"POST /api/monitors/canaries">;
type Canary = NonNullable<MonitorDetail["canary"]>;

export function NewCanaryPage() {
  useTitle("New canary");
  const reading = useRelays();
  useArrival(reading.loaded.value !== null);
  const create = async (body: CanaryInput) => {
    const { id } = await call("POST /api/monitors/canaries", { body });
    goTo(`/monitors/${id}`);
  };
  return (
    <>
      <PageHeading
        title="New canary"
        lead="Assay sends a message through your mail server on a schedule and expects it back. The canary is down when the message is late, lost, rejected, in spam, or no longer authenticated."
      />
      <Reading reading={reading} what="the relays">
        {({ items, hasServerRelay }) => (
          <div class="card narrow">
            <CanaryForm
              relays={items}
              hasServerRelay={hasServerRelay}
              name=""
              canary={null}
              action="Add canary"
              onSend={create}
              done="Canary added. The first one is on its way."
            />
          </div>
        )}
      </Reading>
    </>
  );
}

export function useRelays() {
  return useLoaded("relays", (signal) => call("GET /api/relays", { signal }));
}

type FormProps = {
  readonly relays: readonly Relay[];
  readonly hasServerRelay: boolean;
  readonly name: string;
  /** Null for a new one. */
  readonly canary: Canary | null;
  readonly action: string;
  readonly onSend: (body: CanaryInput) => Promise<void>;
  readonly done: string;
  readonly onCancel?: () => void;
};

export function CanaryForm({ relays, hasServerRelay, name, canary, onSend, ...acts }: FormProps) {
  const known = canary?.schedule;
  const [timing, setTiming] = useState<"interval" | "cron">(known && "cron" in known ? "cron" : "interval");
  if (relays.length === 0 && !hasServerRelay) return <NoRelay />;
  return (
    <ActionForm act={(typed) => onSend(readForm(typed, timing))} failed="Couldn’t save the canary." {...acts}>
      <Field label="Name" name="name" required value={name} />
      <SelectField
        label="Relay"
        name="relayId"
        value={canary?.relayId ?? relays[0]?.id ?? ""}
        hint={
          <>
            The mail server that the canary is sent through. <a href="/settings/sending#relays">Manage relays</a>
          </>
        }
        options={[
          ...relays.map((relay) => ({ value: relay.id, label: `${relay.name} (${relay.mailFrom})` })),
          ...(hasServerRelay ? [{ value: "", label: "This server’s own relay" }] : []),
        ]}
      />
      <ScheduleFields timing={timing} onTiming={setTiming} known={known} />
      <Field
        label="Expected back within (minutes)"
        name="objectiveSeconds"
        type="number"
        min="0.1"
        max="360"
        step="any"
        required
        value={String(toMinutes(canary?.objectiveSeconds ?? 300))}
        hint="A canary that takes longer is late. Mail can wait for greylisting, so less than 2 minutes is strict."
      />
      <Field
        label="Send to (optional)"
        name="to"
        value={canary?.to ?? ""}
        hint="Leave it empty for your active seed inbox. Or enter an address that forwards to a seed inbox, or a mailbox that you connected."
      />
      <Field
        label="Failures before an alert"
        name="failuresBeforeAlert"
        type="number"
        min="1"
        max="5"
        required
        value={String(canary?.failuresBeforeAlert ?? 1)}
      />
      <Field
        label="Lowest score (optional)"
        name="minScore"
        type="number"
        min="0"
        max="100"
        step="any"
        value={canary?.minScore === null || canary === null ? "" : String(canary.minScore)}
        hint="A lower score counts as failed. Leave it empty to compare with the usual score."
      />
      <ContentFields canary={canary} />
    </ActionForm>
  );
}

function NoRelay() {
  return (
    <div class="stack">
      <p>
        Add a relay first: the SMTP server that your app or newsletter tool sends through. A canary that never leaves
        this machine proves little.
      </p>
      <p>
        <a class="btn primary" href="/settings/sending#relays">
          Add relay
        </a>
      </p>
    </div>
  );
}

type ScheduleProps = {
  readonly timing: "interval" | "cron";
  readonly onTiming: (timing: "interval" | "cron") => void;
  readonly known: Canary["schedule"] | undefined;
};

function ScheduleFields({ timing, onTiming, known }: ScheduleProps) {
  const trouble = useContext(FormTrouble);
  const isNoZone = trouble?.field === "schedule.timeZone";
  return (
    <>
      <Choice
        legend="Schedule"
        value={timing}
        onChoose={onTiming}
        options={[
          { value: "interval", label: "Every few minutes" },
          { value: "cron", label: "Cron expression" },
        ]}
      />
      {timing === "interval" ? (
        <Field
          label="Every (minutes)"
          name="schedule.everyMinutes"
          type="number"
          min="1"
          max="10080"
          required
          value={String(known && "everyMinutes" in known ? known.everyMinutes : 5)}
        />
      ) : (
        <>
          <Field
            label="Cron expression"
            name="schedule.cron"
            required
            value={known && "cron" in known ? known.cron : "30 6 * * 1-5"}
            hint="Minute, hour, day of month, month, and day of week. 30 6 * * 1-5 is 06:30 on weekdays."
          />
          <Field
            label="Time zone"
            name="schedule.timeZone"
            required
            value={known && "cron" in known ? known.timeZone : toOwnZone()}
            error={isNoZone ? "Enter an IANA time zone, such as Europe/Berlin." : null}
          />
        </>
      )}
    </>
  );
}

function ContentFields({ canary }: { readonly canary: Canary | null }) {
  const hasOwn = canary !== null && (canary.subject !== null || canary.text !== null || canary.html !== null);
  return (
    <details open={hasOwn}>
      <summary>Content</summary>
      <div class="stack">
        <p class="muted">Leave all three empty for a short message that says what it is.</p>
        <Field label="Subject" name="subject" value={canary?.subject ?? ""} />
        <TextArea label="Text" name="text" value={canary?.text ?? ""} />
        <TextArea label="HTML" name="html" value={canary?.html ?? ""} />
      </div>
    </details>
  );
}

type TextAreaProps = { readonly label: string; readonly name: string; readonly value: string };

function TextArea({ label, name, value }: TextAreaProps) {
  const id = useId();
  const error = troubleAt(useContext(FormTrouble), name);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea class="input" id={id} name={name} rows={5} aria-invalid={error ? "true" : undefined}>
        {value}
      </textarea>
      {error && (
        <span class="err" role="alert">
          {error}
        </span>
      )}
    </div>
  );
}

/** Exact enough to get the same seconds again. */
function toMinutes(seconds: number): number {
  return Math.round((seconds / 60) * 100) / 100;
}

function readForm(form: FormData, timing: "interval" | "cron"): CanaryInput {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const orNull = (name: string) => text(name) || null;
  return {
    name: text("name"),
    relayId: orNull("relayId"),
    schedule:
      timing === "interval"
        ? { everyMinutes: Number(text("schedule.everyMinutes")) }
        : { cron: text("schedule.cron"), timeZone: text("schedule.timeZone") },
    to: orNull("to"),
    subject: orNull("subject"),
    text: orNull("text"),
    html: orNull("html"),
    objectiveSeconds: Math.round(Number(text("objectiveSeconds")) * 60),
    failuresBeforeAlert: Number(text("failuresBeforeAlert")),
    minScore: text("minScore") === "" ? null : Number(text("minScore")),
  };
}
