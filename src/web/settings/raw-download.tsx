import { addressOf } from "../client/call.ts";

/** The message as it came, always as a file. */
export function RawDownload({ path, what }: { readonly path: string; readonly what: string }) {
  return (
    <td class="num">
      <a class="btn small" href={addressOf(path)} download="message.eml">
        Download<span class="vh"> {what}</span>
      </a>
    </td>
  );
}
