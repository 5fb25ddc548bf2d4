// Whether mail to rehearsal addresses is answered as receivers would.

import { useSession } from "../../../web/client/session.ts";
import { WorkspaceChoice } from "../../../web/settings/parts.tsx";
import type { Workspace } from "../../people/contract/workspaces.ts";

const options: readonly { value: Workspace["rehearsal"]; title: string; says: string }[] = [
  {
    value: null,
    title: "On a private network only",
    says: "Mail is answered this way only on listeners that are limited to this computer or a private network.",
  },
  {
    value: "on",
    title: "On",
    says: "Also on public listeners. Anyone who knows your seed address can then get such replies.",
  },
  { value: "off", title: "Off", says: "These are ordinary addresses. All mail to them is accepted." },
];

export function RehearsalsSection() {
  const { seedAddress } = useSession().workspace;
  const example = (seedAddress ?? "you@seed.example").replace("@", "+as-gmail@");
  return (
    <WorkspaceChoice
      name="rehearsal"
      title="Rehearsals"
      question="Answer mail to rehearsal addresses as receivers would?"
      options={options}
      unset=""
      saved="Rehearsal setting saved."
    >
      <p class="muted measure">
        Mail to an address like <code>{example}</code> is rejected, deferred, or accepted as the report predicts for
        that receiver. See what your mail server does. <a href="/docs/rehearsal">All addresses</a>
      </p>
      <p class="small muted measure">
        Some probes need a special connection, for example without TLS. The next connection from the same mail server
        then accepts only the probe, and other mail in it is deferred with 451. Senders retry such mail, usually within
        minutes.
      </p>
    </WorkspaceChoice>
  );
}
