// Which type a sender's or a label's messages are, as the workspace remembers it.

import { useState } from "preact/hooks";
import type { KindRule } from "../../api/kind-detail.ts";
import { call } from "../client/call.ts";
import { useLoaded } from "../client/loading.ts";
import { useDoing } from "../client/use-action.ts";
import { toDay, toPlural } from "../client/words.ts";
import { ActionTable } from "../parts/action-table.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { FormActs } from "../parts/form-acts.tsx";
import { Moment } from "../parts/moment.tsx";
import { sayDone } from "../parts/toast.tsx";
import { ConfirmDoing } from "./confirm-doing.tsx";
import { Reading, SectionHead, TroubleNote, troubleOf } from "./section.tsx";
import { SelectField } from "./select-field.tsx";

const matchWords: Readonly<Record<KindRule["match"], string>> = {
  from: "From address",
  "from-domain": "From domain",
  label: "Label",
};
const kindWords: Readonly<Record<KindRule["kind"], string>> = {
  bulk: "Newsletter or campaign",
  transactional: "Receipt, reset, notification",
  personal: "Personal",
  "auto-reply": "Automatic reply",
};

function toOptions(words: Readonly<Record<string, string>>) {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

export function KindRulesSection() {
  const reading = useLoaded("kind-rules", async (signal) => {
    const { items } = await call("GET /api/kind-rules", { signal });
    return items;
  });
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<KindRule | null>(null);
  return (
    <>
      <SectionHead
        title="Message types"
        lead="A rule sets the type for all messages from a sender, or with a label. It replaces the detected type in new analyses."
      >
        <button class="btn primary" type="button" onClick={() => setAdding(true)}>
          Add rule
        </button>
      </SectionHead>
      <Reading reading={reading} what="the rules">
        {(rules) =>
          rules.length === 0 ? (
            <p class="muted">No rules yet. Assay detects the type of each message.</p>
          ) : (
            <RuleTable rules={rules} onDelete={setLeaving} />
          )
        }
      </Reading>
      {isAdding && <NewKindRule onClose={() => setAdding(false)} onDone={reading.reload} />}
      {leaving !== null && (
        <ConfirmDoing
          title={`Delete the rule for ${leaving.value}?`}
          action="Delete"
          act={() => call("DELETE /api/kind-rules/:id", { params: { id: leaving.id } })}
          done="Rule deleted."
          failed="The rule wasn’t deleted."
          onDone={reading.reload}
          onClose={() => setLeaving(null)}
        >
          <p>Assay will detect the type again. Existing reports don’t change.</p>
        </ConfirmDoing>
      )}
    </>
  );
}

type TableProps = { readonly rules: readonly KindRule[]; readonly onDelete: (rule: KindRule) => void };

function RuleTable({ rules, onDelete }: TableProps) {
  return (
    <ActionTable
      caption={toPlural(rules.length, "rule", "rules")}
      columns={["Sender or label", "Matches", "Type", "Created"]}
    >
      {rules.map((rule) => (
        <tr key={rule.id}>
          <th scope="row">
            <code>{rule.value}</code>
          </th>
          <td data-l="Matches">{matchWords[rule.match]}</td>
          <td data-l="Type">{kindWords[rule.kind]}</td>
          <td data-l="Created">
            <Moment time={rule.createdAt} words={toDay(rule.createdAt)} />
          </td>
          <td class="num">
            <button class="btn small danger" type="button" onClick={() => onDelete(rule)}>
              Delete<span class="vh"> the rule for {rule.value}</span>
            </button>
          </td>
        </tr>
      ))}
    </ActionTable>
  );
}

function NewKindRule({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) {
  const { isBusy, trouble, run } = useDoing();
  const create = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const body = {
      match: form.get("match") as KindRule["match"],
      value: String(form.get("value")),
      kind: form.get("kind") as KindRule["kind"],
    };
    if (!(await run(() => call("POST /api/kind-rules", { body })))) return;
    onClose();
    onDone();
    sayDone("Rule added.");
  };
  return (
    <Dialog title="Add rule" onClose={onClose}>
      <form class="stack" onSubmit={(event) => void create(event)}>
        <SelectField label="Match" name="match" options={toOptions(matchWords)} />
        <Field
          label="Sender or label"
          name="value"
          required
          hint="An address like news@example.com, a domain like example.com, or a label."
          error={troubleOf(trouble, "value", "It")}
        />
        <SelectField label="Type" name="kind" options={toOptions(kindWords)} />
        <TroubleNote trouble={trouble} title="The rule wasn’t added." fields={["value"]} />
        <FormActs action="Add rule" isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
