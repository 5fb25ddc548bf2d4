// Which scanners the operator set up. They can only be changed on the server.

import type { AnswerOf } from "../../../platform/contract/endpoint.ts";
import type { listServerSettings } from "../contract/server-settings.ts";

type ScannersProps = { readonly scanners: AnswerOf<typeof listServerSettings>["scanners"] };

export function Scanners({ scanners }: ScannersProps) {
  return (
    <div class="card stack-2">
      <h3>Scanners</h3>
      <ul class="stack-2">
        {scanners.map(({ name, product, isOn }) => (
          <li key={name}>
            {product}: {isOn ? "on" : <span class="faint">off</span>} <code class="small">{name}</code>
          </li>
        ))}
      </ul>
      <p class="small muted measure">
        Each is set on the server. The <a href="/doctor">server check</a> says whether ClamAV responds and how old its
        signatures are. See <a href="/docs/malware">Malware</a> in the handbook.
      </p>
    </div>
  );
}
