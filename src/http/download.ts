// A stranger's bytes: only ever saved, never shown in our origin (decisions §5).

export type Download = {
  /** Of harmless characters (mail/download-name.ts). */
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
};

export function answerDownload({ name, type, content }: Download): Response {
  return new Response(content, {
    headers: {
      "content-type": type,
      "content-disposition": toDisposition(name),
      "content-security-policy": "sandbox",
    },
  });
}

/**
 * RFC 6266 §4.3: the whole name for those who read RFC 8187, and in ASCII for the others. No `%` in the latter, because
 * some decode it there too (appendix D).
 */
export function toDisposition(name: string): string {
  const plain = name.replace(/[^ -~]|["%\\]/gu, "_");
  const whole = plain === name ? "" : `; filename*=UTF-8''${toExtendedValue(name)}`;
  return `attachment; filename="${plain}"${whole}`;
}

/** RFC 8187 §3.2.1: all but attr-char is escaped. */
function toExtendedValue(text: string): string {
  const toHex = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text.toWellFormed()).replace(/['()*]/g, toHex);
}

/** What a program may be told of a download; any other type, a page's above all, is bytes. */
const harmlessTypes: ReadonlySet<string> = new Set([
  "application/pdf",
  "application/zip",
  "audio/mpeg",
  "image/gif",
  "image/jpeg",
  "image/png",
  "image/webp",
  "text/calendar",
  "text/csv",
  "text/plain",
  "video/mp4",
]);

export function toHarmlessType(declared: string): string {
  return harmlessTypes.has(declared) ? declared : "application/octet-stream";
}
