// Rules for the message type of a sender or label, and the sending volume.

import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { toDay, toPlural } from "../../../web/client/words.ts";
import { Field } from "../../../web/parts/form.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { kindWords } from "../../../web/report/kind-words.ts";
import {
  ActionTable,
  ConfirmDoing,
  FormDialog,
  Reading,
  SectionHead,
  SelectField,
  WorkspaceChoice,
} from "../../../web/settings/parts.tsx";
import type { KindRule } from "../contract/kind-detail.ts";

const matchWords: Readonly<Record<KindRule["match"], string>> = {
  from: "From address",
  "from-domain": "From domain",
  label: "Label",
};

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
        lead="A rule sets the type for all messages from a sender, or with a label. It overrides the detected type in new analyses."
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
          failed="Couldn’t delete the rule."
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
          <td data-l="Type">{kindWords[rule.kind].title}</td>
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

function NewKindRule(shown: { readonly onClose: () => void; readonly onDone: () => void }) {
  const create = (typed: FormData) => {
    const body = {
      match: typed.get("match") as KindRule["match"],
      value: String(typed.get("value")),
      kind: typed.get("kind") as KindRule["kind"],
    };
    return call("POST /api/kind-rules", { body });
  };
  return (
    <FormDialog
      {...shown}
      title="Add rule"
      action="Add rule"
      act={create}
      done="Rule added."
      failed="Couldn’t add the rule."
    >
      <SelectField
        label="Match"
        name="match"
        options={Object.entries(matchWords).map(([value, label]) => ({ value, label }))}
      />
      <Field
        label="Sender or label"
        name="value"
        required
        hint="An address like news@example.com, a domain like example.com, or a label."
      />
      <SelectField
        label="Type"
        name="kind"
        options={Object.entries(kindWords).map(([value, { title }]) => ({ value, label: title }))}
      />
    </FormDialog>
  );
}

// How much the workspace sends to one mailbox provider. This decides whether rules for bulk senders apply.

const options = [
  {
    value: "small",
    title: "Fewer than 5,000 messages a day",
    says: "Rules that apply only to bulk senders are shown as notes. They don’t affect the score or the prediction.",
  },
  {
    value: "large",
    title: "5,000 or more messages a day",
    says: "Rules for bulk senders count in full. Also choose this if you’ve ever sent that many in a single day, because Gmail then permanently treats you as a bulk sender.",
  },
  {
    value: "unsure",
    title: "Not sure",
    says: "Reports show both predictions if they differ. The score includes rules for bulk senders.",
  },
] as const;

export function SendingVolumeSection() {
  return (
    <WorkspaceChoice
      name="sendingVolume"
      title="Sending volume"
      question="How many messages do you send per day to any one mailbox provider, such as Gmail?"
      options={options}
      unset="Reports show both predictions if they differ."
      saved="Sending volume saved."
    >
      <p class="muted measure">
        Gmail, Outlook.com, and Yahoo have extra rules for bulk senders. Tell Assay whether they apply to you. The
        setting applies to new messages and to messages you re-analyze. Existing reports don’t change.
      </p>
    </WorkspaceChoice>
  );
}
