// The workspace: its name and ID, the reader's other workspaces, and deletion.

import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { closeEvents } from "../../../web/client/events.ts";
import { switchWorkspace, useIsOwner, useSession } from "../../../web/client/session.ts";
import { useDoing } from "../../../web/client/use-action.ts";
import { toDay } from "../../../web/client/words.ts";
import { Copyable } from "../../../web/parts/copy.tsx";
import { Dialog } from "../../../web/parts/dialog.tsx";
import { Field, FormActs } from "../../../web/parts/form.tsx";
import { sayDone } from "../../../web/parts/states.tsx";
import { FormDialog, NameField, SectionHead, TroubleNote } from "../../../web/settings/parts.tsx";

export function WorkspaceSection() {
  const isOwner = useIsOwner();
  const { workspace } = useSession();
  return (
    <>
      <SectionHead
        title="Workspace"
        lead="Tests, domains, alerts, and members belong to one workspace and are invisible to others."
      />
      <div class="stack">
        <section class="card stack" aria-labelledby="workspace-name">
          <h3 id="workspace-name">{workspace.name}</h3>
          {isOwner ? <Rename /> : <p class="muted">Only owners can rename the workspace.</p>}
          <dl class="settings-facts">
            <div>
              <dt>Created</dt>
              <dd>{toDay(workspace.createdAt)}</dd>
            </div>
          </dl>
          <div class="stack-2">
            <h4>Workspace ID</h4>
            <p class="small muted">
              API requests send it in the <code>X-Workspace-Id</code> header.
            </p>
            <Copyable text={workspace.id} what="the workspace ID" />
          </div>
        </section>
        {isOwner && <RequireSecondFactor />}
        <Workspaces />
        {isOwner && <DeleteCard />}
      </div>
    </>
  );
}

function Rename() {
  const { workspace, renew } = useSession();
  const { isBusy, trouble, run } = useDoing();
  const rename = async (event: SubmitEvent) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get("name"));
    const isDone = await run(async () => {
      await call("PATCH /api/workspaces/:id", { params: { id: workspace.id }, body: { name } });
      await renew();
    });
    if (isDone) sayDone(`Workspace renamed to ${name.trim()}.`);
  };
  return (
    <form class="settings-line" onSubmit={(event) => void rename(event)}>
      <Field
        label="Name"
        name="name"
        value={workspace.name}
        error={trouble?.code === "missing_name" ? "Enter a name for the workspace." : null}
      />
      <button class="btn" type="submit" disabled={isBusy}>
        Rename
      </button>
      {trouble?.code !== "missing_name" && <TroubleNote trouble={trouble} title="Couldn’t rename the workspace." />}
    </form>
  );
}

function RequireSecondFactor() {
  const { workspace, renew } = useSession();
  const { requiresSecondFactor } = workspace;
  const { isBusy, trouble, run } = useDoing();
  const turn = () =>
    void run(async () => {
      const body = { requiresSecondFactor: !requiresSecondFactor };
      await call("PATCH /api/workspaces/:id", { params: { id: workspace.id }, body });
      await renew();
      sayDone(requiresSecondFactor ? "No longer required." : "Now required for all members.");
    });
  return (
    <section class="card stack" aria-labelledby="require-second-factor">
      <h3 id="require-second-factor">Second factor</h3>
      <p class="muted">
        {requiresSecondFactor
          ? "Members can open this workspace only after logging in with a second factor. API tokens aren’t affected."
          : "Members can open this workspace with their password alone. If you require a second factor, members without one add it the next time they open this workspace. API tokens aren’t affected."}
      </p>
      <TroubleNote trouble={trouble} title="Couldn’t change it." />
      <p>
        <button class="btn" type="button" disabled={isBusy} onClick={turn}>
          {requiresSecondFactor ? "Stop requiring it" : "Require a second factor"}
        </button>{" "}
        <a href="/settings/you">Your second factors</a>
      </p>
    </section>
  );
}

function Workspaces() {
  const { person, workspace } = useSession();
  const { workspaces } = person;
  const [isCreating, setCreating] = useState(false);
  const mayCreate = workspaces.some(({ role }) => role === "owner");
  return (
    <section class="card flush" aria-labelledby="your-workspaces">
      <div class="settings-top rule">
        <h3 id="your-workspaces">Your workspaces</h3>
        {mayCreate && (
          <button class="btn small" type="button" onClick={() => setCreating(true)}>
            Create workspace
          </button>
        )}
      </div>
      <ul class="plain">
        {workspaces.map(({ id, name, role }) => (
          <li key={id}>
            <span>
              <strong>{name}</strong>
              <span class="settings-sub">{role === "owner" ? "Owner" : "Member"}</span>
            </span>
            {id === workspace.id ? (
              <span class="tag">Current</span>
            ) : (
              <button class="btn small" type="button" onClick={() => switchWorkspace(id)}>
                Switch<span class="vh"> to {name}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {isCreating && <NewWorkspace onClose={() => setCreating(false)} />}
    </section>
  );
}

function NewWorkspace({ onClose }: { readonly onClose: () => void }) {
  const create = async (form: FormData) => {
    const body = { name: String(form.get("name")) };
    switchWorkspace((await call("POST /api/workspaces", { body })).id);
  };
  return (
    <FormDialog
      title="Create workspace"
      action="Create workspace"
      act={create}
      failed="Couldn’t create the workspace."
      onClose={onClose}
    >
      <p>A workspace has its own tests, seed inbox, domains, and members. You’ll be its owner.</p>
      <NameField
        name="name"
        hint="For example, a team, a brand, or a customer."
        missing="Enter a name for the workspace."
      />
    </FormDialog>
  );
}

function DeleteCard() {
  const [isAsked, setAsked] = useState(false);
  return (
    <section class="card stack-2" aria-labelledby="workspace-end">
      <h3 id="workspace-end">Delete workspace</h3>
      <p class="measure muted">
        All messages, reports, domains, alerts, and tokens will be deleted for every member. This can’t be undone.
      </p>
      <button class="btn danger" type="button" onClick={() => setAsked(true)}>
        Delete workspace
      </button>
      {isAsked && <DeleteWorkspace onClose={() => setAsked(false)} />}
    </section>
  );
}

/** Asks for the name, to prevent deleting the wrong workspace by accident. */
function DeleteWorkspace({ onClose }: { readonly onClose: () => void }) {
  const { workspace } = useSession();
  const { isBusy, trouble, run } = useDoing();
  const [isOther, setOther] = useState(false);
  const remove = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget as HTMLFormElement).get("typed")).trim();
    setOther(typed !== workspace.name);
    if (typed !== workspace.name) return;
    void run(async () => {
      await call("DELETE /api/workspaces/:id", { params: { id: workspace.id } });
      closeEvents();
      window.location.assign("/");
    });
  };
  return (
    <Dialog title={`Delete ${workspace.name}?`} onClose={onClose}>
      <form class="stack" onSubmit={remove}>
        <p>
          All messages, reports, domains, alerts, and tokens will be deleted for every member. Mail to its seed
          addresses will be rejected.
        </p>
        <Field
          label={`Type “${workspace.name}” to delete it`}
          name="typed"
          autoComplete="off"
          error={isOther ? `The name doesn’t match “${workspace.name}”.` : null}
        />
        <TroubleNote trouble={trouble} title="Couldn’t delete the workspace." />
        <FormActs action="Delete forever" isBusy={isBusy} isGrave onCancel={onClose} />
      </form>
    </Dialog>
  );
}
