// The server that passes the workspace's mail on to the internet, for tests that come here without it.

import { useIsOwner, useSession } from "../../../web/client/session.ts";
import { SectionHead } from "../../../web/settings/parts.tsx";
import { OutgoingServerForm } from "./outgoing-server-form.tsx";

export function OutgoingServerSection() {
  const { outgoingServer } = useSession().workspace;
  const { host = null, domain = null, selector = null } = outgoingServer ?? {};
  return (
    <>
      <SectionHead
        title="Outgoing server"
        lead="Where your mail leaves for the internet. Mail from your own network is judged as if it came through this server."
      />
      <div class="stack">
        {useIsOwner() ? (
          <div class="card">
            <OutgoingServerForm action="Save" isMain />
          </div>
        ) : (
          <div class="card stack-2">
            <p>
              <strong>
                {[host, selector && `${selector}._domainkey.${domain}`].filter(Boolean).join(", ") || "Not set"}
              </strong>
            </p>
            <p class="muted">Only owners can change this.</p>
          </div>
        )}
        <p class="small muted measure">
          Assay never sees this server, so reports mark SPF, DKIM, and DMARC as assumed. The setting applies to new
          messages and to messages you re-analyze with fresh DNS.{" "}
          <a href="/docs/send-from#from-your-own-machine">From your own machine</a>
        </p>
      </div>
    </>
  );
}
