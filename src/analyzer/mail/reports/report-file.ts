// Files of DMARC and TLS reports, as reporters attach them and other tools keep them.

const beginningBytes = 2_048;

/** A message with the file as its only part. Null if it doesn't look like one. An archive may contain anything. */
export function toReportMessage(file: Uint8Array): Buffer | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const name = toReportName(bytes);
  if (name === null) return null;
  const head = [
    "MIME-Version: 1.0",
    "Subject: Uploaded file of reports",
    `Content-Type: application/octet-stream; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    "Content-Transfer-Encoding: base64",
  ];
  const lines = bytes.toString("base64").match(/.{1,76}/g) ?? [];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${lines.join("\r\n")}\r\n`);
}

/** Null: it doesn't look like one. */
export function toReportName(file: Uint8Array): string | null {
  const beginning = Buffer.from(file.subarray(0, beginningBytes)).toString("latin1");
  if (beginning.startsWith("\u001f\u008b")) return "report.gz";
  if (beginning.startsWith("PK\u0003\u0004")) return "report.zip";
  // UTF-16 has a NUL beside each of these characters.
  const text = beginning.replace(/\0|^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/g, "").trimStart();
  if (text.startsWith("<") && /<(?:\w{1,20}:)?feedback\b/.test(text)) return "report.xml";
  return text.startsWith("{") && text.includes('"organization-name"') ? "report.json" : null;
}
