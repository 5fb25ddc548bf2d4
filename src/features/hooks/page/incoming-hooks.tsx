// Webhooks that email providers call: add, set up, delete. The server sends the steps and the names of the providers.

import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useLiveReload } from "../../../web/client/events.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { toCount, toList, toPlural } from "../../../web/client/words.ts";
import { Copyable } from "../../../web/parts/copy.tsx";
import { EmptyState } from "../../../web/parts/states.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import {
  ActionTable,
  ConfirmDoing,
  OperatorTask,
  Reading,
  SectionHead,
  ShownOnce,
} from "../../../web/settings/parts.tsx";
import type { IncomingHook, IncomingHookWithSecrets } from "../contract.ts";
import { NewHook, purposes, SetUp, Steps } from "./incoming-hook-forms.tsx";

export function IncomingHooksSection() {
  const reading = useLoaded("incoming-hooks", (signal) => call("GET /api/incoming-hooks", { signal }));
  const { reload } = reading;
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<IncomingHookWithSecrets | null>(null);
  const [chosen, setChosen] = useState<IncomingHook | null>(null);
  const [deleted, setDeleted] = useState<IncomingHook | null>(null);
  useLiveReload(reload, ({ type }) => type === "incoming-hook.received");
  const done = (hook: IncomingHookWithSecrets) => {
    setAdding(false);
    setChosen(null);
    // Without a URL or a secret there is nothing to copy.
    if (hook.url !== undefined || hook.secret !== undefined) setMade(hook);
    reload();
  };
  const add = (
    <button class="btn primary" type="button" onClick={() => setAdding(true)}>
      Add webhook
    </button>
  );
  const { value } = reading.loaded;
  const choice = value?.providers.find(({ provider }) => provider === chosen?.provider);
  return (
    <>
      <SectionHead
        title="Incoming webhooks"
        lead="Your email provider calls these. It can report bounces and complaints, or pass on mail that it receives, which becomes a test."
      >
        {value !== null && value.items.length > 0 && add}
      </SectionHead>
      {made && <Made hook={made} onClose={() => setMade(null)} />}
      <Reading reading={reading} what="the webhooks">
        {({ items, providers }) =>
          items.length === 0 ? (
            <EmptyState icon="inbox" title="No incoming webhooks yet">
              <p>
                {toList(providers.map(({ label }) => label))} can call one. See{" "}
                <a href="/docs/provider-webhooks">how to set it up</a>.
              </p>
              {add}
            </EmptyState>
          ) : (
            <HookTable items={items} onChoose={setChosen} onDelete={setDeleted} />
          )
        }
      </Reading>
      {isAdding && value && <NewHook providers={value.providers} onClose={() => setAdding(false)} onDone={done} />}
      {chosen && choice && <SetUp hook={chosen} choice={choice} onClose={() => setChosen(null)} onDone={done} />}
      {deleted && (
        <ConfirmDoing
          title={`Delete “${deleted.label}”?`}
          action="Delete"
          act={() => call("DELETE /api/incoming-hooks/:id", { params: { id: deleted.id } })}
          done={`“${deleted.label}” deleted.`}
          failed="Couldn’t delete the webhook."
          onClose={() => setDeleted(null)}
          onDone={reload}
        >
          <p>Its URL stops working. The bounces, complaints, and tests that it received are kept.</p>
        </ConfirmDoing>
      )}
    </>
  );
}

function Made({
  hook: { label, url, secret, says },
  onClose,
}: {
  readonly hook: IncomingHookWithSecrets;
  readonly onClose: () => void;
}) {
  return (
    <ShownOnce
      title={`“${label}” is created. Next, set it up at ${says.provider}`}
      action="I’ve copied it"
      onClose={onClose}
    >
      <p class="muted">Copy it now. It won’t be shown again, because Assay only stores a hash.</p>
      {url !== undefined && <Copyable text={url} what="the URL" />}
      {url?.startsWith("https://") === false && (
        <p class="small">
          This URL doesn’t begin with https://. Providers may refuse it, or not reach it.{" "}
          <OperatorTask to="/settings/server#email" task="set this server’s web address" />
        </p>
      )}
      {secret !== undefined && <Copyable text={secret} what="the secret" />}
      <Steps says={says} />
    </ShownOnce>
  );
}

type HookTableProps = {
  readonly items: readonly IncomingHook[];
  readonly onChoose: (hook: IncomingHook) => void;
  readonly onDelete: (hook: IncomingHook) => void;
};

function HookTable({ items, onChoose, onDelete }: HookTableProps) {
  return (
    <ActionTable
      caption={toPlural(items.length, "webhook", "webhooks")}
      columns={["Name", "Last received", "Accepted", "Refused"]}
    >
      {items.map((hook) => (
        <tr key={hook.id}>
          <th scope="row">
            {hook.label}
            <span class="settings-sub">
              {hook.says.provider}: {purposes[hook.purpose].toLowerCase()}
            </span>
          </th>
          <td data-l="Last received">
            {hook.missing !== null ? (
              <Severity tone="minor">
                {hook.missing === "topicArn" ? "Needs the topic’s ARN" : "Needs the signing key"}
              </Severity>
            ) : hook.lastReceivedAt === null ? (
              <span class="faint">Nothing yet</span>
            ) : (
              <Moment time={hook.lastReceivedAt} />
            )}
          </td>
          <td data-l="Accepted">
            {/* One element, because narrow screens lay out each child on its own. */}
            <span>
              {toCount(hook.received)}
              {hook.repeated > 0 && <span class="settings-sub">{toCount(hook.repeated)} repeated, counted once</span>}
            </span>
          </td>
          <td data-l="Refused">
            <span>
              {toCount(hook.refused)}
              <Problem hook={hook} />
            </span>
          </td>
          <td class="num">
            <span class="settings-acts">
              <button class="btn small" type="button" onClick={() => onChoose(hook)}>
                Set up<span class="vh"> {hook.label}</span>
              </button>
              <button class="btn small danger" type="button" onClick={() => onDelete(hook)}>
                Delete<span class="vh"> {hook.label}</span>
              </button>
            </span>
          </td>
        </tr>
      ))}
    </ActionTable>
  );
}

function Problem({ hook: { says, lastProblemAt } }: { readonly hook: IncomingHook }) {
  if (says.problem === null) return null;
  return (
    <span class="settings-sub">
      Last{lastProblemAt !== null && ", "}
      {lastProblemAt !== null && <Moment time={lastProblemAt} />}: {says.problem}
    </span>
  );
}
