// Which scanners the operator set up. They can only be changed on the server.

import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { Reading, SectionHead } from "../../../web/settings/parts.tsx";

export function ScannersSection() {
  const reading = useLoaded("scanners", (signal) => call("GET /api/server-settings", { signal }));
  return (
    <>
      <SectionHead
        title="Scanners"
        lead={
          <>
            Each is set on the server. The <a href="/settings/server-check">server check</a> says whether ClamAV
            responds and how old its signatures are. <a href="/docs/malware">How scanners are used</a>
          </>
        }
      />
      <Reading reading={reading} what="the scanners">
        {({ scanners }) => (
          <ul class="card stack-2">
            {scanners.map(({ name, product, isOn }) => (
              <li key={name}>
                {product}: {isOn ? "on" : <span class="faint">off</span>} <code class="small">{name}</code>
              </li>
            ))}
          </ul>
        )}
      </Reading>
    </>
  );
}
