// Which scanners the operator set up. They can only be changed on the server.

import { Reading, Setting } from "../../../web/settings/parts.tsx";
import { useServerSettings } from "./server.tsx";

export function ScannersSection() {
  const reading = useServerSettings();
  return (
    <Reading reading={reading} what="the scanners">
      {({ scanners }) => (
        <Setting
          title="Scanners"
          value={
            <>
              {scanners.map(({ name, product, isOn }) => (
                <span key={name}>
                  {product}: {isOn ? "on" : "off"} (<code class="small">{name}</code>).{" "}
                </span>
              ))}
              Each is set on the server. The <a href="/settings/server-check">server check</a> says whether ClamAV
              responds and how old its signatures are. <a href="/docs/malware">How scanners are used</a>
            </>
          }
        />
      )}
    </Reading>
  );
}
