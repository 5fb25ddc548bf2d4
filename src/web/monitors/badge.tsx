// A monitor's public badge: off until someone creates it.

import { useState } from "preact/hooks";
import type { MonitorItem } from "../../api/monitor-list.ts";
import { call } from "../client/call.ts";
import { troubleAt, useDoing } from "../client/use-action.ts";
import { Copyable } from "../parts/copy.tsx";
import { Field } from "../parts/form.tsx";
import { Note, sayDone } from "../parts/states.tsx";
import { ConfirmDoing, TroubleNote } from "../settings/parts.tsx";

type SectionProps = {
  readonly monitor: Pick<MonitorItem, "id" | "name" | "badge">;
  readonly onDone: () => void;
};

export function BadgeSection({ monitor, onDone }: SectionProps) {
  return (
    <section class="stack mt-6">
      <h2>Status badge</h2>
      <p class="muted">
        An image for a website or README. Anyone with its URL sees the badge’s name and whether this monitor
        is up, down, paused, or unknown.
      </p>
      {monitor.badge === null ? (
        <NewBadge monitor={monitor} onDone={onDone} />
      ) : (
        <ShownBadge id={monitor.id} badge={monitor.badge} onDone={onDone} />
      )}
    </section>
  );
}

function NewBadge({ monitor: { id, name }, onDone }: SectionProps) {
  const { isBusy, trouble, run } = useDoing();
  const create = async (event: SubmitEvent) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget as HTMLFormElement);
    const body = { name: String(typed.get("name") ?? "").trim() };
    if (!(await run(() => call("PUT /api/monitors/:id/badge", { params: { id }, body })))) return;
    onDone();
    sayDone("Badge created.");
  };
  return (
    <form class="stack narrow" onSubmit={(event) => void create(event)}>
      <Field
        label="Name on the badge"
        name="name"
        required
        value={name.slice(0, 40)}
        hint="Public. Up to 40 characters."
        error={troubleAt(trouble, "name")}
      />
      <TroubleNote trouble={trouble} title="Couldn’t create the badge." fields={["name"]} />
      <div>
        <button class="btn small" type="submit" disabled={isBusy}>
          Create badge
        </button>
      </div>
    </form>
  );
}

type ShownProps = {
  readonly id: string;
  readonly badge: NonNullable<MonitorItem["badge"]>;
  readonly onDone: () => void;
};

function ShownBadge({ id, badge: { name, svgUrl, jsonUrl }, onDone }: ShownProps) {
  const [isEnding, setEnding] = useState(false);
  const label = escapeAttribute(name);
  return (
    <>
      <p>
        <img src={new URL(svgUrl).pathname} alt={`Badge: ${name}`} height={20} />
      </p>
      {!svgUrl.startsWith("https://") && (
        <Note>
          This URL doesn’t begin with https://, so other people’s browsers may not reach or show it. Ask your
          administrator to set <code>ASSAY_BASE_URL</code> to this server’s public address.
        </Note>
      )}
      <p class="label">Markdown</p>
      <Copyable text={`![${name.replace(/[[\]\\]/g, "\\$&")}](${svgUrl})`} what="the Markdown" />
      <p class="label">HTML</p>
      <Copyable text={`<img src="${svgUrl}" alt="${label}" height="20">`} what="the HTML" />
      <p class="label">JSON, for shields.io</p>
      <Copyable text={jsonUrl} what="the URL of the JSON" />
      <div>
        <button class="btn small danger" type="button" onClick={() => setEnding(true)}>
          End badge
        </button>
      </div>
      {isEnding && (
        <ConfirmDoing
          title="End this badge?"
          action="End badge"
          act={() => call("DELETE /api/monitors/:id/badge", { params: { id } })}
          done="Badge ended."
          failed="Couldn’t end the badge."
          onDone={onDone}
          onClose={() => setEnding(false)}
        >
          <p>Its URL stops working everywhere. A new badge gets another URL.</p>
        </ConfirmDoing>
      )}
    </>
  );
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
