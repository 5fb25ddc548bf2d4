// The server that passes the workspace's mail on to the internet, for tests that come here without it.

import { useIsOwner, useSession } from "../../../web/client/session.ts";
import { Setting } from "../../../web/settings/parts.tsx";
import { OutgoingServerForm } from "./outgoing-server-form.tsx";

export function OutgoingServerSection() {
  const { outgoingServer } = useSession().workspace;
  const { host = null, domain = null, selector = null } = outgoingServer ?? {};
  const value = [host, selector && `${selector}._domainkey.${domain}`].filter(Boolean).join(", ");
  return (
    <Setting title="Outgoing server" value={value || "Not set"}>
      <p class="muted measure">
        Where your mail leaves for the internet. Mail from your own network is judged as if it came through this server.
        Assay never sees it, so reports mark SPF, DKIM, and DMARC as assumed. The setting applies to new messages and to
        messages you re-analyze with fresh DNS.{" "}
        <a href="/docs/send-from#from-your-own-machine">From your own machine</a>
      </p>
      {useIsOwner() ? <OutgoingServerForm action="Save" /> : <p class="muted">Only owners can change this.</p>}
    </Setting>
  );
}
