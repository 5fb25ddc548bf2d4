// The addresses that a workspace receives its tests at.

import { useState } from "preact/hooks";
import type { SeedInbox } from "../../api/seed-inboxes.ts";
import { call } from "../client/call.ts";
import { useLoaded } from "../client/loading.ts";
import { useSession } from "../client/session.ts";
import { useDoing } from "../client/use-action.ts";
import { toDay, toPlural } from "../client/words.ts";
import { CopyButton } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field, FormActs } from "../parts/form.tsx";
import { ErrorNote, Note, sayDone } from "../parts/states.tsx";
import { Moment } from "../parts/text.tsx";
import { Badge } from "../parts/tone.tsx";
import { ActionTable, ConfirmDoing, Reading, SectionHead, TroubleNote, troubleOf } from "./parts.tsx";

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
  // The active address stands on other pages too.
  const refresh = () => {
    reading.reload();
    void renew();
  };
  const activate = async ({ id, address }: SeedInbox) => {
    const isDone = await run(() =>
      call("PATCH /api/seed-inboxes/:id", { params: { id }, body: { active: true } }),
    );
    if (!isDone) return;
    refresh();
    sayDone(`${address} is the active one now.`);
  };
  const close = () => setStep(null);
  return (
    <>
      <SectionHead
        title="Seed inboxes"
        lead="A message to one of these addresses becomes a test of this workspace. All of them receive; the active one is shown on the other pages, and samples go there."
      >
        <button class="btn primary" type="button" onClick={() => setAdding(true)}>
          New seed inbox
        </button>
      </SectionHead>
      {trouble && <ErrorNote title="The active inbox is as it was." message={trouble.message} />}
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
      {isAdding && (
        <NewSeedInbox
          // Where none receives, the server says which domain is its own.
          domain={workspace.seedAddress?.split("@").at(-1) ?? ""}
          onClose={() => setAdding(false)}
          onDone={refresh}
        />
      )}
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
      <strong>Mail to {domains.join(", ")} is refused.</strong> Have the domain named in the server’s setting{" "}
      <code>ASSAY_SEED_DOMAINS</code> again, or make a new seed inbox and send there.
    </Note>
  );
}

function PlusLabels({ address }: { readonly address: string | null }) {
  if (address === null) return null;
  const labelled = address.replace("@", "+welcome-flow@");
  return (
    <section class="card mt-5 stack-2">
      <h3>One address, many labels</h3>
      <p class="measure">
        What stands behind a plus sign becomes the test’s label. Send your welcome mail to the address below
        and its tests are found under <code>label:welcome-flow</code>. Nothing need be set up for it.
      </p>
      <div class="copy">
        <code>{labelled}</code>
        <CopyButton text={labelled} what="the address with a label" />
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
      columns={["Address", "Name", "Made"]}
    >
      {inboxes.map((inbox) => (
        <InboxRow key={inbox.id} inbox={inbox} isOnly={inboxes.length === 1} {...rest} />
      ))}
    </ActionTable>
  );
}

type InboxRowProps = Omit<InboxTableProps, "inboxes"> & {
  readonly inbox: SeedInbox;
  readonly isOnly: boolean;
};

function InboxRow({ inbox, isOnly, isBusy, onActivate, onStep }: InboxRowProps) {
  const { address, label, active, receives, createdAt } = inbox;
  return (
    <tr>
      <th scope="row">
        <span class="settings-address">
          <code>{address}</code>
          {!receives && <Badge tone="critical">Takes no mail</Badge>}
          {active && receives && <Badge tone="good">Active</Badge>}
        </span>
      </th>
      <td data-l="Name">{label ?? <span class="faint">none</span>}</td>
      <td data-l="Made">
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

type DeleteProps = {
  readonly inbox: SeedInbox;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

function DeleteSeedInbox({ inbox: { id, address, active }, ...rest }: DeleteProps) {
  return (
    <ConfirmDoing
      {...rest}
      title={`Delete ${address}?`}
      action="Delete"
      act={() => call("DELETE /api/seed-inboxes/:id", { params: { id } })}
      done={`${address} is deleted.`}
      failed="The seed inbox is still there."
    >
      <p>
        Mail to it is refused from then on. Its tests stay, and nobody else gets the address for 180 days.
        {active && " It is the active one: the oldest other takes its place."}
      </p>
    </ConfirmDoing>
  );
}

type FormProps = { readonly onClose: () => void; readonly onDone: () => void };

const labelHint = "So that you know it again, like “Welcome mails”. It may be left out.";

function textOf(form: FormData, name: string): string | null {
  const text = String(form.get(name) ?? "").trim();
  return text === "" ? null : text;
}

type NewProps = FormProps & {
  /** Of the address that is shown; empty: the server's first. */
  readonly domain: string;
};

function NewSeedInbox({ domain, onClose, onDone }: NewProps) {
  const { isBusy, trouble, run } = useDoing();
  const create = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const [localPart, domainName] = [textOf(form, "localPart"), textOf(form, "domain")];
    const body = {
      ...(localPart === null ? {} : { localPart }),
      ...(domainName === null ? {} : { domain: domainName }),
      label: textOf(form, "label"),
    };
    const isDone = await run(async () => {
      const { address } = await call("POST /api/seed-inboxes", { body });
      sayDone(`${address} receives from now on.`);
    });
    if (!isDone) return;
    onClose();
    onDone();
  };
  return (
    <Dialog title="New seed inbox" onClose={onClose}>
      <form class="stack" onSubmit={(event) => void create(event)}>
        <Field
          label="What stands before the @"
          name="localPart"
          hint="Letters, digits, dots, hyphens and underscores. Left empty, ten characters are drawn at random, which strangers do not guess."
          error={troubleOf(trouble, "localPart", "What stands before the @")}
        />
        <Field
          label="Domain"
          name="domain"
          value={domain}
          hint="A seed domain of this server; its first if left empty."
          error={troubleOf(trouble, "domain", "It")}
        />
        <Field label="Name" name="label" hint={labelHint} error={troubleOf(trouble, "label", "The name")} />
        <TroubleNote
          trouble={trouble}
          title="No seed inbox was made."
          fields={["localPart", "domain", "label"]}
        />
        <FormActs action="Make the seed inbox" isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

function EditSeedInbox({ inbox, onClose, onDone }: FormProps & { readonly inbox: SeedInbox }) {
  const { isBusy, trouble, run } = useDoing();
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const body = { label: textOf(new FormData(event.currentTarget as HTMLFormElement), "label") };
    if (!(await run(() => call("PATCH /api/seed-inboxes/:id", { params: { id: inbox.id }, body })))) return;
    onClose();
    onDone();
    sayDone(`The name of ${inbox.address} is kept.`);
  };
  return (
    <Dialog title={`Name of ${inbox.address}`} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void save(event)}>
        <Field
          label="Name"
          name="label"
          value={inbox.label ?? ""}
          hint={labelHint}
          error={troubleOf(trouble, "label", "The name")}
        />
        <TroubleNote trouble={trouble} title="The name is as it was." fields={["label"]} />
        <FormActs action="Keep the name" isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
