// Handmade messages, byte for byte: strings are Latin-1, lines end as written.

/** Joins lines with CRLF. Arguments may contain several lines. */
export function letter(...lines: readonly string[]): Buffer {
  return Buffer.from(lines.join("\r\n"), "latin1");
}

export function part(headers: readonly string[], ...body: readonly string[]): string {
  return [...headers, "", ...body].join("\r\n");
}

export function multipart(subtype: string, boundary: string, ...parts: readonly string[]): string {
  const delimited = parts.flatMap((each) => [`--${boundary}`, each]);
  const type = `Content-Type: multipart/${subtype}; boundary="${boundary}"`;
  return [type, "", ...delimited, `--${boundary}--`, ""].join("\r\n");
}

export const ordinaryHead = [
  "From: Ann <ann@sender.example>",
  "To: bob@receiver.example",
  "Date: Sat, 21 Nov 2026 15:00:00 +0000",
  "Subject: Hello",
  "Message-ID: <1@sender.example>",
  "MIME-Version: 1.0",
] as const;

export function base64(content: string | Uint8Array): string {
  return Buffer.from(content as string, "latin1")
    .toString("base64")
    .replace(/.{76}/g, "$&\r\n");
}
