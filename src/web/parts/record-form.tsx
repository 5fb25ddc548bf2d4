// A form for proposed DNS records: one row each, with name, type and value.

import { useId, useRef, useState } from "preact/hooks";
import type { Trouble } from "../client/call.ts";
import type { BodyOf } from "../client/endpoints.ts";
import { Icon } from "./icon.tsx";
import { ErrorNote } from "./states.tsx";

export type RecordRow = { readonly name: string; readonly type: string; readonly value: string };

/** All records of one type and name. No values means no records. */
export type GivenRecords = BodyOf<"POST /api/tests/:id/what-if">["records"][number];

const types = [
  "TXT",
  "MX",
  "A",
  "AAAA",
  "CNAME",
  "PTR",
  "NS",
  "TLSA",
] as const satisfies readonly GivenRecords["type"][];

export function toGivenRecords(rows: readonly RecordRow[]): readonly GivenRecords[] {
  return [...Map.groupBy(rows, toKey).values()].map((group) => ({
    name: group[0]?.name ?? "",
    // A link to this page can name any type. The server refuses those it can't change.
    type: (group[0]?.type ?? "") as GivenRecords["type"],
    values: group.map(({ value }) => value).filter((value) => value !== ""),
  }));
}

function toKey({ name, type }: RecordRow): string {
  return `${type} ${name.trim().toLowerCase()}`;
}

type RecordFormProps = {
  readonly initial: readonly RecordRow[];
  readonly onSubmit: (rows: readonly RecordRow[]) => void;
  readonly isBusy: boolean;
  readonly trouble: Trouble | null;
};

type Row = RecordRow & { readonly key: number };

export function RecordForm({ initial, onSubmit, isBusy, trouble }: RecordFormProps) {
  const counter = useRef(initial.length);
  const [rows, setRows] = useState<readonly Row[]>(initial.map((row, key) => ({ ...row, key })));
  const hintId = useId();
  const change = (key: number, changed: Partial<RecordRow>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...changed } : row)));
  const add = () => {
    const last = rows.at(-1);
    setRows([...rows, { name: last?.name ?? "", type: last?.type ?? "TXT", value: "", key: counter.current++ }]);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit(rows.map(({ name, type, value }) => ({ name: name.trim(), type, value: value.trim() })));
  };
  const faulty = findFaulty(rows, trouble);
  return (
    <form class="stack" onSubmit={submit} aria-label="Records to try" aria-describedby={hintId}>
      <p class="small muted" id={hintId}>
        Your entries replace existing records with that type and name. Leave the value empty to delete them.
      </p>
      {rows.map((row, at) => (
        <FormRow
          key={row.key}
          row={row}
          number={at + 1}
          isFaulty={faulty === row.key}
          onChange={(changed) => change(row.key, changed)}
          onRemove={rows.length > 1 ? () => setRows(rows.filter(({ key }) => key !== row.key)) : null}
        />
      ))}
      {trouble !== null && <ErrorNote title="The preview failed." message={trouble.message} />}
      <div class="row">
        <button class="btn primary" type="submit" disabled={isBusy}>
          {isBusy ? "Checking…" : "Preview changes"}
        </button>
        <button class="btn" type="button" onClick={add}>
          Add record
        </button>
      </div>
    </form>
  );
}

/** The row with the error. Its field counts the groups in the request, and the values in each. */
function findFaulty(rows: readonly Row[], trouble: Trouble | null): number | null {
  const [, at, value] = /^records\.(\d+)(?:\.values\.(\d+))?/.exec(trouble?.field ?? "") ?? [];
  if (at === undefined) return null;
  const group = [...Map.groupBy(rows, toKey).values()][Number(at)] ?? [];
  const sent = group.filter((row) => row.value.trim() !== "");
  return (value === undefined ? group[0] : sent[Number(value)])?.key ?? null;
}

type FormRowProps = {
  readonly row: RecordRow;
  readonly number: number;
  readonly isFaulty: boolean;
  readonly onChange: (changed: Partial<RecordRow>) => void;
  readonly onRemove: (() => void) | null;
};

function FormRow({ row, number, isFaulty, onChange, onRemove }: FormRowProps) {
  const id = useId();
  const invalid = isFaulty ? "true" : undefined;
  return (
    <fieldset class="record-row">
      <legend class="vh">Record {number}</legend>
      <div class="field">
        <label for={`${id}-name`}>Name</label>
        <input
          class="input"
          id={`${id}-name`}
          required
          spellcheck={false}
          aria-invalid={invalid}
          value={row.name}
          onInput={(event) => onChange({ name: event.currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for={`${id}-type`}>Type</label>
        <select
          class="input"
          id={`${id}-type`}
          value={row.type}
          onChange={(event) => onChange({ type: event.currentTarget.value })}
        >
          {types.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for={`${id}-value`}>Value</label>
        <textarea
          class="input"
          id={`${id}-value`}
          rows={row.value.length > 70 ? 3 : 1}
          spellcheck={false}
          aria-invalid={invalid}
          value={row.value}
          onInput={(event) => onChange({ value: event.currentTarget.value.replace(/[\r\n]+/g, " ") })}
        />
      </div>
      {onRemove && (
        <button class="btn small quiet" type="button" onClick={onRemove}>
          <Icon name="rejected" />
          Remove<span class="vh"> record {number}</span>
        </button>
      )}
    </fieldset>
  );
}
