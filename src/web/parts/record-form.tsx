// Records that somebody thinks of having in DNS, each with its name, its type and all its values. Nothing is published.

import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { GivenRecord } from "../../api/what-if.ts";
import type { Trouble } from "../client/ask.ts";
import { Icon } from "./icon.tsx";
import { ErrorNote } from "./states.tsx";

/** What a value of each looks like. */
const examples: Readonly<Record<GivenRecord["type"], string>> = {
  TXT: "v=spf1 include:_spf.example.com -all",
  MX: "10 mx.example.com",
  A: "192.0.2.25",
  AAAA: "2001:db8::25",
  CNAME: "mail.example.com",
  PTR: "mail.example.com",
  NS: "ns1.example.com",
  TLSA: "3 1 1 0c72ac70b745ac19998811b131d662c9ac69dbdbe7cb23e5b514b56664c5d3d6",
};
const types = Object.keys(examples) as readonly GivenRecord["type"][];

type Row = {
  readonly key: number;
  readonly name: string;
  readonly type: GivenRecord["type"];
  /** One value a line. */
  readonly text: string;
};

let lastKey = 0;

function toRow({ name, type, values }: GivenRecord): Row {
  return { key: ++lastKey, name, type, text: values.join("\n") };
}

function toRecord({ name, type, text }: Row): GivenRecord {
  const lines = text.split("\n").map((line) => line.trim());
  return { name: name.trim(), type, values: lines.filter((line) => line !== "") };
}

type RecordFormProps = {
  /** To begin with; a `key` of the parent's makes the form begin anew. */
  readonly initial: readonly GivenRecord[];
  readonly onSubmit: (records: readonly GivenRecord[]) => void;
  readonly isBusy: boolean;
  readonly trouble: Trouble | null;
};

export function RecordForm({ initial, onSubmit, isBusy, trouble }: RecordFormProps) {
  const [rows, setRows] = useState(() =>
    (initial.length > 0 ? initial : [{ name: "", type: "TXT" as const, values: [] }]).map(toRow),
  );
  const form = useRef<HTMLFormElement>(null);
  const change = (key: number, changed: Partial<Row>) =>
    setRows((known) => known.map((row) => (row.key === key ? { ...row, ...changed } : row)));
  const add = () =>
    setRows((known) => [...known, toRow({ name: known.at(-1)?.name ?? "", type: "TXT", values: [] })]);
  const remove = (key: number) => {
    setRows((known) => known.filter((row) => row.key !== key));
    form.current?.querySelector<HTMLElement>("input")?.focus();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit(rows.map(toRecord));
  };
  const at = placeOf(trouble, rows.length);
  useEffect(() => {
    if (at !== null) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [trouble]);
  return (
    <form class="stack records" onSubmit={submit} ref={form} noValidate>
      {rows.map((row, index) => (
        <RecordRow
          key={row.key}
          row={row}
          legend={rows.length === 1 ? "Record" : `Record ${index + 1}`}
          trouble={at?.row === index ? at : null}
          onChange={(changed) => change(row.key, changed)}
          onRemove={rows.length > 1 ? () => remove(row.key) : null}
        />
      ))}
      {trouble !== null && at === null && (
        <ErrorNote title="It could not be tried." message={trouble.message} />
      )}
      <div class="row">
        <button class="btn primary" type="submit" disabled={isBusy}>
          {isBusy ? "Trying …" : rows.length === 1 ? "Try this record" : "Try these records"}
        </button>
        <button class="btn" type="button" onClick={add}>
          Add a record
        </button>
      </div>
    </form>
  );
}

type RowTrouble = { readonly row: number; readonly field: "name" | "type" | "values"; readonly says: string };

/** `records.0.values.1` is the second line of the first. */
function placeOf(trouble: Trouble | null, count: number): RowTrouble | null {
  const [, row = "", field = "", line] =
    /^records\.(\d+)\.(name|type|values)(?:\.(\d+))?$/.exec(trouble?.field ?? "") ?? [];
  if (trouble === null || row === "" || Number(row) >= count) return null;
  const says = line === undefined ? trouble.message : `Line ${Number(line) + 1}: ${trouble.message}`;
  return { row: Number(row), field: field as RowTrouble["field"], says };
}

type RecordRowProps = {
  readonly row: Row;
  readonly legend: string;
  readonly trouble: RowTrouble | null;
  readonly onChange: (changed: Partial<Row>) => void;
  readonly onRemove: (() => void) | null;
};

function RecordRow({ row, legend, trouble, onChange, onRemove }: RecordRowProps) {
  const id = useId();
  const at = (field: RowTrouble["field"]) =>
    trouble?.field === field ? { "aria-invalid": true, "aria-errormessage": `${id}-error` } : {};
  return (
    <fieldset class="record">
      <legend class="vh">{legend}</legend>
      <div class="field">
        <label for={`${id}-name`}>Name</label>
        <input
          {...at("name")}
          class="input"
          id={`${id}-name`}
          value={row.name}
          placeholder="_dmarc.example.com"
          autocapitalize="off"
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => onChange({ name: event.currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for={`${id}-type`}>Type</label>
        <select
          {...at("type")}
          class="input"
          id={`${id}-type`}
          value={row.type}
          onChange={(event) => onChange({ type: event.currentTarget.value as GivenRecord["type"] })}
        >
          {types.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </select>
      </div>
      <div class="field wide">
        <label for={`${id}-values`}>Values</label>
        <textarea
          {...at("values")}
          class="input"
          id={`${id}-values`}
          rows={Math.min(Math.max(row.text.split("\n").length, 2), 8)}
          value={row.text}
          placeholder={examples[row.type]}
          aria-describedby={`${id}-hint`}
          spellcheck={false}
          onInput={(event) => onChange({ text: event.currentTarget.value })}
        />
        <span class="hint" id={`${id}-hint`}>
          One a line, all that the name would have of this type. Empty: it would have none.
        </span>
      </div>
      {trouble !== null && (
        <p class="small tone critical wide" id={`${id}-error`} role="alert">
          <Icon name="critical" /> {trouble.says}
        </p>
      )}
      {onRemove !== null && (
        <button class="btn small" type="button" onClick={onRemove}>
          Remove this record
        </button>
      )}
    </fieldset>
  );
}
