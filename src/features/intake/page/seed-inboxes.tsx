// The workspace's addresses for tests.

import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { useSession } from "../../../web/client/session.ts";
import { useDoing } from "../../../web/client/use-action.ts";
import { toDay, toList, toPlural } from "../../../web/client/words.ts";
import { CopyButton } from "../../../web/parts/copy.tsx";
import { Field } from "../../../web/parts/form.tsx";
import { ErrorNote, Note, sayDone } from "../../../web/parts/states.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { Badge } from "../../../web/parts/tone.tsx";
import { ActionTable, ConfirmDoing, FormDialog, Reading, SectionHead } from "../../../web/settings/parts.tsx";
import type { SeedInbox } from "../contract/seed-inboxes.ts";

type Step = { readonly what: "label" | "delete"; readonly inbox: SeedInbox };

export function SeedInboxesSection() {
  const { renew, workspace } = useSession();
  const reading = useLoaded("seed-inboxes", async (signal) => {
    const { items } = await call("GET /api/seed-inboxes", { signal });
    return items;
  });
  const { trouble, isBusy, run } = useDoing();
  const [isAdding, setAdding] = useState(false);
  const [step, setStep] = useState<Step | null>(null);
  // Other pages show the active address too.
  const refresh = () => {
    reading.reload();
    void renew();
  };
  const activate = async ({ id, address }: SeedInbox) => {
    const isDone = await run(() => call("PATCH /api/seed-inboxes/:id", { params: { id }, body: { active: true } }));
    if (!isDone) return;
    refresh();
    sayDone(`${address} is now the active address.`);
  };
  const close = () => setStep(null);
  return (
    <>
      <SectionHead
        title="Seed inboxes"
        lead="A message to any of these addresses becomes a test in this workspace. Other pages show the active one, and samples go there."
      >
        <button class="btn primary" type="button" onClick={() => setAdding(true)}>
          Add seed inbox
        </button>
      </SectionHead>
      {trouble && <ErrorNote title="Couldn’t change the active address." message={trouble.message} />}
      <Reading reading={reading} what="the seed inboxes">
        {(inboxes) => (
          <div class="stack">
            <NoLongerServed inboxes={inboxes} />
            <InboxTable
              inboxes={inboxes}
              isBusy={isBusy}
              onActivate={(inbox) => void activate(inbox)}
              onStep={setStep}
            />
          </div>
        )}
      </Reading>
      <PlusLabels address={workspace.seedAddress} />
      {isAdding && <NewSeedInbox onClose={() => setAdding(false)} onDone={refresh} />}
      {step?.what === "label" && <EditSeedInbox inbox={step.inbox} onClose={close} onDone={refresh} />}
      {step?.what === "delete" && <DeleteSeedInbox inbox={step.inbox} onClose={close} onDone={refresh} />}
    </>
  );
}

function NoLongerServed({ inboxes }: { readonly inboxes: readonly SeedInbox[] }) {
  const domains = [...new Set(inboxes.filter(({ receives }) => !receives).map(({ domain }) => domain))];
  if (domains.length === 0) return null;
  return (
    <Note tone="minor">
      <strong>This server rejects mail to {toList(domains)}.</strong> Add the domain to the{" "}
      <a href="/settings/receiving#own-domain">seed domains</a> again, or create a new seed inbox.
    </Note>
  );
}

function PlusLabels({ address }: { readonly address: string | null }) {
  if (address === null) return null;
  const labeled = address.replace("@", "+welcome-flow@");
  return (
    <section class="card mt-5 stack-2">
      <h3>Label your tests</h3>
      <p class="measure">
        Add +label to the address to tag a test. For example, send your welcome email to the address below and find its
        tests with <code>label:welcome-flow</code>. No setup needed.
      </p>
      <div class="copy">
        <code>{labeled}</code>
        <CopyButton text={labeled} what="the address with a label" />
      </div>
    </section>
  );
}

type InboxTableProps = {
  readonly inboxes: readonly SeedInbox[];
  readonly isBusy: boolean;
  readonly onActivate: (inbox: SeedInbox) => void;
  readonly onStep: (step: Step) => void;
};

function InboxTable({ inboxes, ...rest }: InboxTableProps) {
  return (
    <ActionTable
      caption={toPlural(inboxes.length, "seed inbox", "seed inboxes")}
      columns={["Address", "Name", "Created"]}
    >
      {inboxes.map((inbox) => (
        <InboxRow key={inbox.id} inbox={inbox} isOnly={inboxes.length === 1} {...rest} />
      ))}
    </ActionTable>
  );
}

type InboxRowProps = Omit<InboxTableProps, "inboxes"> & { readonly inbox: SeedInbox; readonly isOnly: boolean };

function InboxRow({ inbox, isOnly, isBusy, onActivate, onStep }: InboxRowProps) {
  const { address, label, active, receives, createdAt } = inbox;
  return (
    <tr>
      <th scope="row">
        <span class="settings-address">
          <code>{address}</code>
          {!receives && <Badge tone="critical">Can’t receive mail</Badge>}
          {active && receives && <Badge tone="good">Active</Badge>}
        </span>
      </th>
      <td data-l="Name">{label ?? <span class="faint">None</span>}</td>
      <td data-l="Created">
        <Moment time={createdAt} words={toDay(createdAt)} />
      </td>
      <td class="num">
        <span class="settings-acts">
          {receives && <CopyButton text={address} what={address} />}
          {!active && receives && (
            <button class="btn small" type="button" disabled={isBusy} onClick={() => onActivate(inbox)}>
              Make active<span class="vh">: {address}</span>
            </button>
          )}
          <button class="btn small" type="button" onClick={() => onStep({ what: "label", inbox })}>
            Rename<span class="vh"> {address}</span>
          </button>
          {!isOnly && (
            <button class="btn small danger" type="button" onClick={() => onStep({ what: "delete", inbox })}>
              Delete<span class="vh"> {address}</span>
            </button>
          )}
        </span>
      </td>
    </tr>
  );
}

type DeleteProps = { readonly inbox: SeedInbox; readonly onClose: () => void; readonly onDone: () => void };

function DeleteSeedInbox({ inbox: { id, address, active }, ...rest }: DeleteProps) {
  return (
    <ConfirmDoing
      {...rest}
      title={`Delete ${address}?`}
      action="Delete"
      act={() => call("DELETE /api/seed-inboxes/:id", { params: { id } })}
      done={`${address} deleted.`}
      failed="Couldn’t delete the seed inbox."
    >
      <p>
        Mail to this address will be rejected. Its tests are kept, and the address stays reserved for 180 days.
        {active && " Your oldest remaining address becomes the active one."}
      </p>
    </ConfirmDoing>
  );
}

type FormProps = { readonly onClose: () => void; readonly onDone: () => void };

const labelHint = "A name to recognize it by, like “Welcome emails”.";

function textOf(form: FormData, name: string): string | null {
  const text = String(form.get(name) ?? "").trim();
  return text === "" ? null : text;
}

function NewSeedInbox(shown: FormProps) {
  const create = async (typed: FormData) => {
    const [localPart, domainName] = [textOf(typed, "localPart"), textOf(typed, "domain")];
    const body = {
      ...(localPart === null ? {} : { localPart }),
      ...(domainName === null ? {} : { domain: domainName }),
      label: textOf(typed, "label"),
    };
    const { address } = await call("POST /api/seed-inboxes", { body });
    sayDone(`${address} created.`);
  };
  return (
    <FormDialog
      {...shown}
      title="Add seed inbox"
      action="Add seed inbox"
      act={create}
      failed="Couldn’t create the seed inbox."
    >
      <Field
        label="Local part (optional)"
        name="localPart"
        hint="The part before the @: letters, digits, dots, hyphens, and underscores. Leave it empty for a random address that’s hard to guess."
      />
      <Field
        label="Domain (optional)"
        name="domain"
        hint="One of this server’s seed domains. Leave it empty to use the first one."
      />
      <Field label="Name (optional)" name="label" hint={labelHint} />
    </FormDialog>
  );
}

function EditSeedInbox({ inbox, ...shown }: FormProps & { readonly inbox: SeedInbox }) {
  const save = (typed: FormData) =>
    call("PATCH /api/seed-inboxes/:id", { params: { id: inbox.id }, body: { label: textOf(typed, "label") } });
  return (
    <FormDialog
      {...shown}
      title={`Rename ${inbox.address}`}
      action="Save"
      act={save}
      done="Name saved."
      failed="Couldn’t save the name."
    >
      <Field label="Name" name="label" value={inbox.label ?? ""} hint={labelHint} />
    </FormDialog>
  );
}
