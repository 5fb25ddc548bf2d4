// How to receive reports: put a seed address of this workspace in the domain's records.

import { useSession } from "../../../web/client/session.ts";
import { Copyable } from "../../../web/parts/copy.tsx";
import { Note } from "../../../web/parts/states.tsx";
import { OperatorTask } from "../../../web/settings/parts.tsx";

type Props = {
  /** Null: any domain. */
  readonly domain: string | null;
  /** The current DMARC record. */
  readonly record: string | null;
};

export function ReportAddress({ domain, record }: Props) {
  const { seedAddress } = useSession().workspace;
  if (seedAddress === null)
    return <Note tone="minor">None of your seed addresses can receive mail, so reports can’t arrive.</Note>;
  const host = seedAddress.slice(seedAddress.indexOf("@") + 1);
  const isOwn = domain !== null && (host === domain || host.endsWith(`.${domain}`));
  const at = domain ?? "your domain";
  const hasReports = /\brua\s*=/i.test(record ?? "");
  if (host === "localhost" || host.endsWith(".localhost"))
    return (
      <p class="measure">
        Receivers can’t send reports to this server, because {host} only exists on this machine.{" "}
        <OperatorTask to="/settings/receiving#own-domain" task="set up your own domain" />
      </p>
    );
  return (
    <div class="stack-2">
      <p class="measure">
        Mailbox providers such as Gmail and Yahoo send daily reports on who sends as {at}. These reports go to the{" "}
        <code>rua=</code> address in the DMARC record at <code>_dmarc.{domain ?? "<domain>"}</code>.{" "}
        {hasReports ? "Add this address to your rua tag, after a comma:" : "Add this tag to the record:"}
      </p>
      {hasReports ? (
        <Copyable text={`mailto:${seedAddress}`} what="the address for DMARC reports" />
      ) : (
        <Copyable text={`rua=mailto:${seedAddress}`} what="the tag for DMARC reports" />
      )}
      {!isOwn && (
        <>
          <p class="measure">
            The address is on another domain, so {host} must allow it. Publish this TXT record at{" "}
            <code>
              {domain ?? "<domain>"}._report._dmarc.{host}
            </code>
            :
          </p>
          <Copyable text="v=DMARC1;" what="the authorization record" />
        </>
      )}
      <p class="measure">
        To receive TLS reports, publish this TXT record at <code>_smtp._tls.{domain ?? "<domain>"}</code>:
      </p>
      <Copyable text={`v=TLSRPTv1; rua=mailto:${seedAddress}`} what="the record for TLS reports" />
    </div>
  );
}
