// The workspace itself: its name, what programs call it, the others that the reader has, and its end.

import { useState } from "preact/hooks";
import { call } from "../client/call.ts";
import { closeEvents } from "../client/events.ts";
import { switchWorkspace, useIsOwner, useSession } from "../client/session.ts";
import { useDoing } from "../client/use-action.ts";
import { toDay } from "../client/words.ts";
import { Copyable } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field, FormActs } from "../parts/form.tsx";
import { sayDone } from "../parts/states.tsx";
import { SectionHead, TroubleNote } from "./parts.tsx";

export function WorkspaceSection() {
  const isOwner = useIsOwner();
  const { workspace } = useSession();
  return (
    <>
      <SectionHead
        title="Workspace"
        lead="Tests, domains, alerts and members belong to one workspace, and no other sees them."
      />
      <div class="stack">
        <section class="card stack" aria-labelledby="workspace-name">
          <h3 id="workspace-name">{workspace.name}</h3>
          {isOwner ? <Rename /> : <p class="muted">An owner can rename it. You are a member.</p>}
          <dl class="settings-facts">
            <div>
              <dt>Made</dt>
              <dd>{toDay(workspace.createdAt)}</dd>
            </div>
            <div>
              <dt>Plan</dt>
              <dd>
                <a href="/settings/plan">What it may have, and what is used</a>
              </dd>
            </div>
          </dl>
          <div class="stack-2">
            <h4>Identifier</h4>
            <p class="small muted">
              Programs name the workspace by it, in the header <code>X-Workspace-Id</code>.
            </p>
            <Copyable text={workspace.id} what="the workspace’s identifier" />
          </div>
        </section>
        <Workspaces />
        {isOwner && <End />}
      </div>
    </>
  );
}

function nameOf(event: SubmitEvent): string {
  return String(new FormData(event.currentTarget as HTMLFormElement).get("name"));
}

function Rename() {
  const { workspace, renew } = useSession();
  const { isBusy, trouble, run } = useDoing();
  const rename = async (event: SubmitEvent) => {
    event.preventDefault();
    const name = nameOf(event);
    const isDone = await run(async () => {
      await call("PATCH /api/workspaces/:id", { params: { id: workspace.id }, body: { name } });
      await renew();
    });
    if (isDone) sayDone(`The workspace is called ${name.trim()} now.`);
  };
  return (
    <form class="settings-line" onSubmit={(event) => void rename(event)}>
      <Field
        label="Name"
        name="name"
        value={workspace.name}
        error={trouble?.code === "missing_name" ? "Give the workspace a name." : null}
      />
      <button class="btn" type="submit" disabled={isBusy}>
        Rename
      </button>
      {trouble?.code !== "missing_name" && <TroubleNote trouble={trouble} title="The name is as it was." />}
    </form>
  );
}

function Workspaces() {
  const { person, workspace } = useSession();
  const { workspaces } = person;
  const [isMaking, setMaking] = useState(false);
  const mayMake = workspaces.some(({ role }) => role === "owner");
  return (
    <section class="card flush" aria-labelledby="your-workspaces">
      <div class="settings-top rule">
        <h3 id="your-workspaces">Your workspaces</h3>
        {mayMake && (
          <button class="btn small" type="button" onClick={() => setMaking(true)}>
            New workspace
          </button>
        )}
      </div>
      <ul class="plain">
        {workspaces.map(({ id, name, role }) => (
          <li key={id}>
            <span>
              <strong>{name}</strong>
              <span class="settings-sub">You are {role === "owner" ? "an owner" : "a member"}</span>
            </span>
            {id === workspace.id ? (
              <span class="tag">You are here</span>
            ) : (
              <button class="btn small" type="button" onClick={() => switchWorkspace(id)}>
                Switch to it<span class="vh">: {name}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {isMaking && <NewWorkspace onClose={() => setMaking(false)} />}
    </section>
  );
}

function NewWorkspace({ onClose }: { readonly onClose: () => void }) {
  const { isBusy, trouble, run } = useDoing();
  const make = (event: SubmitEvent) => {
    event.preventDefault();
    const body = { name: nameOf(event) };
    void run(async () => switchWorkspace((await call("POST /api/workspaces", { body })).id));
  };
  return (
    <Dialog title="New workspace" onClose={onClose}>
      <form class="stack" onSubmit={make}>
        <p>It has its own tests, seed inbox, domains and members. You become its owner and are led there.</p>
        <Field
          label="Name"
          name="name"
          hint="Like a team, a brand or a customer."
          error={trouble?.code === "missing_name" ? "Give the workspace a name." : null}
        />
        {trouble?.code !== "missing_name" && <TroubleNote trouble={trouble} title="No workspace was made." />}
        <FormActs action="Make the workspace" isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

function End() {
  const [isAsked, setAsked] = useState(false);
  return (
    <section class="card stack-2" aria-labelledby="workspace-end">
      <h3 id="workspace-end">Delete this workspace</h3>
      <p class="measure muted">
        It goes with all its messages, reports, domains, alerts and tokens, for everybody at once. There is no
        way back.
      </p>
      <button class="btn danger" type="button" onClick={() => setAsked(true)}>
        Delete the workspace
      </button>
      {isAsked && <DeleteWorkspace onClose={() => setAsked(false)} />}
    </section>
  );
}

/** Asks for its name, so that nobody deletes the wrong one with two quick clicks. */
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
          All its messages, reports, domains, alerts and tokens are lost, for every member. Mail to its seed
          inboxes is refused from then on.
        </p>
        <Field
          label={`Type “${workspace.name}” to delete it`}
          name="typed"
          autoComplete="off"
          error={isOther ? `This is not its name: ${workspace.name}.` : null}
        />
        <TroubleNote trouble={trouble} title="The workspace is still there." />
        <FormActs action="Delete for ever" isBusy={isBusy} isGrave onCancel={onClose} />
      </form>
    </Dialog>
  );
}
