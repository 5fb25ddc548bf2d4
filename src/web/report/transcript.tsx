import type { Transport } from "../../features/tests/contract/transport.ts";
import { toDuration } from "../client/words.ts";
import { useFold } from "../parts/fold.tsx";
import { Icon } from "../parts/icon.tsx";

export function Transcript({ transport }: { readonly transport: Transport }) {
  const { transcript, tls } = transport;
  const { isOpen, follow } = useFold("conversation");
  const [first] = transcript;
  if (!first) return null;
  const begin = Date.parse(first.at);
  const encryptedFrom =
    tls === null ? -1 : transcript.findIndex(({ from, line }) => from === "client" && /^starttls/i.test(line)) + 2;
  return (
    <details open={isOpen} onToggle={follow}>
      <summary class="btn small">Show transcript</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <section class="smtp mt-3" tabIndex={0} aria-label="SMTP transcript">
        <table>
          <tbody>
            {transcript.map(({ at, from, line }, index) => (
              <>
                {index === encryptedFrom && encryptedFrom > 1 && tls !== null && (
                  <tr class="lock">
                    <td />
                    <td>
                      <Icon name="lock" />
                    </td>
                    <td>
                      Encrypted from here on: {tls.version}, {tls.cipher}
                    </td>
                  </tr>
                )}
                <tr key={index} class={from === "server" ? "us" : undefined}>
                  <td>{toDuration(Date.parse(at) - begin)}</td>
                  <td>{from === "server" ? "Assay" : "Sender"}</td>
                  <td>{line}</td>
                </tr>
              </>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
