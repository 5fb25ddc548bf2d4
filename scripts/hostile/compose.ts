// Building blocks of hostile messages.

export type Letter = {
  readonly name: string;
  readonly write: () => Buffer;
  /** Set if the trap is in the envelope, or in its DNS. */
  readonly mailFrom?: string;
  readonly client?: { readonly address: string; readonly helo: string };
};

export const head = "To: b@seed.example\r\nSubject: hostile\r\nDate: Sat, 21 Nov 2026 06:00:00 +0000\r\n";
export const from = "From: Ann <a@sender.example>\r\n";

export function withoutFrom(headers: string, content: string): Buffer {
  return Buffer.from(`${headers}${head}\r\n${content}`, "latin1");
}

export function text(headers: string, content: string): Buffer {
  return withoutFrom(headers + from, content);
}

export function html(content: string): Buffer {
  return text("MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n", content);
}

export function quotedPrintable(content: string): Buffer {
  return text(
    "MIME-Version: 1.0\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n",
    content,
  );
}

export function attachment(filename: string, bytes: Buffer | null, encoded = toBase64(bytes)): Buffer {
  const type = filename.endsWith(".svg") ? "image/svg+xml" : "application/octet-stream";
  return text(
    "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n",
    `--b\r\nContent-Type: text/plain\r\n\r\nSee below.\r\n--b\r\nContent-Type: ${type}; name="${filename}"\r\n` +
      `Content-Disposition: attachment; filename="${filename}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded}\r\n--b--\r\n`,
  );
}

export function toBase64(bytes: Buffer | null): string {
  return (bytes?.toString("base64") ?? "").replace(/.{76}/g, "$&\r\n");
}
