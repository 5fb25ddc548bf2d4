// The form for mail that others must send. While it is filled in, it shows which stored mail would match.

import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import type { BodyOf } from "../../../web/client/endpoints.ts";
import { goTo } from "../../../web/client/router.tsx";
import { troubleAt, useDoing } from "../../../web/client/use-action.ts";
import { Dialog } from "../../../web/parts/dialog.tsx";
import { Choice, Field, FormActs } from "../../../web/parts/form.tsx";
import { sayDone } from "../../../web/parts/states.tsx";
import { TroubleNote } from "../../../web/settings/parts.tsx";
import type { ExpectedTerms } from "../contract/expected.ts";
import type { MonitorItem } from "../contract/monitor-list.ts";
import { DayFields, readDays, toOwnZone } from "./days.tsx";
import { type Match, Preview } from "./preview.tsx";

type Wanted = BodyOf<"POST /api/monitors/expected">;
type Edited = ExpectedTerms & Pick<MonitorItem, "id" | "name">;
type Given = Pick<URLSearchParams, "get">;

const close = () => goTo("/monitors");

/** `given`: from a message. */
export function NewExpected({ given, onDone }: { readonly given: Given; readonly onDone: () => void }) {
  const doing = useDoing();
  const create = async (body: Wanted) => {
    if (!(await doing.run(() => call("POST /api/monitors/expected", { body })))) return;
    close();
    onDone();
    sayDone("Monitor added.");
  };
  const match = {
    inboxId: null,
    subjectLacks: null,
    textContains: null,
    label: given.get("label"),
    sender: given.get("sender"),
    subjectContains: given.get("subject"),
  };
  return (
    <Dialog title="Expect mail" onClose={close}>
      <ExpectedForm action="Add monitor" monitor={null} match={match} doing={doing} onSend={create} onCancel={close} />
    </Dialog>
  );
}

type EditProps = { readonly item: Edited; readonly onClose: () => void; readonly onDone: () => void };

export function EditExpected({ item, onClose, onDone }: EditProps) {
  const { id, name, match } = item;
  const doing = useDoing();
  const save = async (body: Wanted) => {
    if (!(await doing.run(() => call("PATCH /api/monitors/expected/:id", { params: { id }, body })))) return;
    onClose();
    onDone();
    sayDone("Monitor saved.");
  };
  return (
    <Dialog title={`Edit “${name}”`} onClose={onClose}>
      <ExpectedForm action="Save" monitor={item} match={match} doing={doing} onSend={save} onCancel={onClose} />
    </Dialog>
  );
}

type FormProps = {
  readonly action: string;
  readonly monitor: Edited | null;
  readonly match: Match;
  readonly doing: ReturnType<typeof useDoing>;
  readonly onSend: (wanted: Wanted) => Promise<void>;
  readonly onCancel: () => void;
};

const times = [
  { value: "daily", label: "By a time of day" },
  { value: "interval", label: "At least every" },
] as const;

function ExpectedForm({ action, monitor, match: given, doing, onSend, onCancel }: FormProps) {
  const { isBusy, trouble } = doing;
  const [type, setType] = useState<Wanted["schedule"]["type"]>(monitor?.schedule.type ?? "daily");
  const [match, setMatch] = useState<Match>(given);
  const errorAt = (field: keyof typeof fieldErrors) => (trouble?.field === field ? fieldErrors[field] : null);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget as HTMLFormElement);
    void onSend(toWanted(typed, { type, monitor }));
  };
  return (
    <form
      class="stack"
      onSubmit={send}
      onChange={(event) => setMatch(toMatch(new FormData(event.currentTarget), given))}
    >
      <Field
        label="Name"
        name="name"
        required
        value={monitor?.name ?? given.subjectContains ?? ""}
        hint="What you expect, such as Nightly backup. Alerts begin with it."
        error={troubleAt(trouble, "name")}
      />
      <MatchFields match={given} error={errorAt("match.sender")} />
      <Preview match={match} />
      <div class="field">
        <span class="group-name">When</span>
        <div>
          <Choice legend="When" options={times} value={type} onChoose={setType} />
        </div>
      </div>
      <ScheduleFields type={type} monitor={monitor} errorAt={errorAt} />
      <Field
        label="Grace period in minutes"
        name="graceMinutes"
        type="number"
        min="0"
        max="1440"
        required
        value={String(monitor?.graceMinutes ?? 30)}
        hint="How much later it may arrive before you’re notified."
      />
      <Field
        label="Number of messages"
        name="minCount"
        type="number"
        min="1"
        max="1000"
        required
        value={String(monitor?.minCount ?? 1)}
      />
      <div class="ticks">
        <label class="tick-row">
          <input type="checkbox" name="otherWords" defaultChecked={monitor?.alertOnOtherWords ?? true} />
          <span>
            Alert at once if the words are missing
            <span class="hint">
              When a message from this sender arrives without the expected words. Clear this if the sender also sends
              other mail.
            </span>
          </span>
        </label>
      </div>
      <TroubleNote
        trouble={trouble}
        title="Couldn’t save the monitor."
        fields={["name", ...Object.keys(fieldErrors)]}
      />
      <FormActs action={action} isBusy={isBusy} onCancel={onCancel} />
    </form>
  );
}

/** What the API says about these fields, in the words of this form. */
const fieldErrors = {
  "match.sender": "Enter a sender, a label, or words that the subject contains.",
  "schedule.days": "Choose at least one day.",
  "schedule.timeZone": "Enter an IANA time zone, such as Europe/Berlin.",
} as const;

type MatchProps = { readonly match: Match; readonly error: string | null };

function MatchFields({ match, error }: MatchProps) {
  return (
    <fieldset class="stack">
      <legend class="group-name">Which mail</legend>
      <p class="muted small">
        It must be sent to one of your <a href="/settings/receiving">seed addresses</a>.
      </p>
      <Field
        label="Sender"
        name="sender"
        value={match.sender ?? ""}
        hint="The address in From. * stands for anything, as in *@example.com. Leave it empty for any sender."
        error={error}
      />
      <Field
        label="Label"
        name="matchLabel"
        value={match.label ?? ""}
        hint="The word after + in the address that it’s sent to. Leave it empty for any."
      />
      <Field label="Subject contains" name="subjectContains" value={match.subjectContains ?? ""} />
      <Field
        label="Subject doesn’t contain"
        name="subjectLacks"
        value={match.subjectLacks ?? ""}
        hint="Such as FAILED or error."
      />
      <Field label="Text contains" name="textContains" value={match.textContains ?? ""} />
    </fieldset>
  );
}

type ScheduleProps = Pick<FormProps, "monitor"> & {
  readonly type: Wanted["schedule"]["type"];
  readonly errorAt: (field: keyof typeof fieldErrors) => string | null;
};

function ScheduleFields({ type, monitor, errorAt }: ScheduleProps) {
  const kept = monitor?.schedule;
  if (type === "interval")
    return (
      <Field
        label="Hours between two messages"
        name="everyHours"
        type="number"
        min="0.2"
        max="744"
        step="any"
        required
        value={String(kept?.type === "interval" ? kept.everyMinutes / 60 : 6)}
        hint="The longest time that may pass without one."
      />
    );
  const daily = kept?.type === "daily" ? kept : null;
  return (
    <>
      <Field label="By" name="by" type="time" required value={daily?.by ?? "07:00"} />
      <Field
        label="Time zone"
        name="timeZone"
        required
        value={daily?.timeZone ?? toOwnZone()}
        error={errorAt("schedule.timeZone")}
      />
      <DayFields days={daily?.days ?? ["mon", "tue", "wed", "thu", "fri"]} error={errorAt("schedule.days")} />
      <Field
        label="May arrive early by, in hours"
        name="opensHours"
        type="number"
        min="0.2"
        max="24"
        step="any"
        required
        value={String((daily?.opensMinutes ?? 720) / 60)}
        hint="Earlier messages don’t count, so that a late one of the day before isn’t taken for today’s."
      />
    </>
  );
}

type Context = Pick<ScheduleProps, "type" | "monitor">;

function toWanted(typed: FormData, { type, monitor }: Context): Wanted {
  const number = (name: string) => Number(typed.get(name));
  return {
    name: String(typed.get("name") ?? "").trim(),
    match: toMatch(typed, monitor?.match ?? { inboxId: null }),
    schedule:
      type === "interval"
        ? { type, everyMinutes: Math.round(number("everyHours") * 60) }
        : {
            type,
            by: String(typed.get("by")),
            days: readDays(typed),
            timeZone: String(typed.get("timeZone") ?? "").trim(),
            opensMinutes: Math.round(number("opensHours") * 60),
          },
    graceMinutes: number("graceMinutes"),
    minCount: number("minCount"),
    alertOnOtherWords: typed.get("otherWords") !== null,
  };
}

function toMatch(typed: FormData, { inboxId }: Pick<Match, "inboxId">): Match {
  const text = (name: string) => String(typed.get(name) ?? "").trim() || null;
  return {
    inboxId,
    label: text("matchLabel"),
    sender: text("sender"),
    subjectContains: text("subjectContains"),
    subjectLacks: text("subjectLacks"),
    textContains: text("textContains"),
  };
}
