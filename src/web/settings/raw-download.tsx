/** The message as it came, always as a file. */
export function RawDownload({ address, what }: { readonly address: string; readonly what: string }) {
  return (
    <td class="num">
      <a class="btn small" href={address} download="message.eml">
        Download<span class="vh"> {what}</span>
      </a>
    </td>
  );
}
