// How reports get here: an address of this workspace in the domain's records.

import { useSession } from "../client/session.ts";
import { Copyable } from "../parts/copy.tsx";
import { Note } from "../parts/states.tsx";

type Props = {
  /** Null: of any. */
  readonly domain: string | null;
  /** The DMARC record that stands. */
  readonly record: string | null;
};

export function ReportAddress({ domain, record }: Props) {
  const { seedAddress } = useSession().workspace;
  if (seedAddress === null)
    return (
      <Note tone="minor">No seed inbox of this workspace receives mail, so that no report can come.</Note>
    );
  const host = seedAddress.slice(seedAddress.indexOf("@") + 1);
  const isOwn = domain !== null && (host === domain || host.endsWith(`.${domain}`));
  const at = domain ?? "your domain";
  if (host === "localhost" || host.endsWith(".localhost"))
    return (
      <p class="measure">
        Receivers can’t send reports to this server: {host} exists on this machine alone. Set{" "}
        <code>ASSAY_SEED_DOMAINS</code> to a domain whose MX record leads here.
      </p>
    );
  return (
    <div class="stack-2">
      <p class="measure">
        Receivers such as Gmail and Yahoo report each day who sent as {at}. They send it to the address behind{" "}
        <code>rua=</code> in the record at <code>_dmarc.{domain ?? "<domain>"}</code>
        {record === null ? "" : ". Set it there, or add it behind a comma to the one that stands"}:
      </p>
      <Copyable text={`rua=mailto:${seedAddress}`} what="the tag for DMARC reports" />
      {!isOwn && (
        <>
          <p class="measure">
            Because the address is at another domain, {host} must agree, by this TXT record at{" "}
            <code>
              {domain ?? "<domain>"}._report._dmarc.{host}
            </code>
            :
          </p>
          <Copyable text="v=DMARC1;" what="the record that agrees" />
        </>
      )}
      <p class="measure">
        Reports on encryption come by this TXT record at <code>_smtp._tls.{domain ?? "<domain>"}</code>:
      </p>
      <Copyable text={`v=TLSRPTv1; rua=mailto:${seedAddress}`} what="the record for TLS reports" />
    </div>
  );
}
