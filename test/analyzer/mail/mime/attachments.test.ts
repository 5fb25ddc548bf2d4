import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readPart, toEml } from "../../../../src/analyzer/mail/eml.ts";
import { readAttachments } from "../../../../src/analyzer/mail/mime/attachments.ts";
import { parseMessage } from "../../../../src/analyzer/mail/mime/parse.ts";
import { compoundFile, rar4, rar5, tar, zip } from "../files.ts";
import { base64, letter, multipart, ordinaryHead, part } from "../letter.ts";

const text = part(["Content-Type: text/plain"], "hi");

function mailWith(
  name: string,
  content: string | Uint8Array,
  type = "application/octet-stream",
  more: readonly string[] = [],
) {
  const headers = [
    `Content-Type: ${type}`,
    `Content-Disposition: attachment; filename="${name}"`,
    "Content-Transfer-Encoding: base64",
    ...more,
  ];
  return letter(...ordinaryHead, multipart("mixed", "m", text, part(headers, base64(content))));
}

function attach(...file: Parameters<typeof mailWith>) {
  const raw = mailWith(...file);
  const [attachment] = readAttachments(raw, parseMessage(raw));
  if (!attachment) throw new Error("There is no attachment.");
  return attachment;
}

const warningsOf = (...file: Parameters<typeof mailWith>) =>
  attach(...file).warnings.map(({ warning, value }) => `${warning}: ${value}`);

const program = Buffer.from(`MZ${"\0".repeat(60)}`);
const hex = (digits: string) => Buffer.from(digits, "hex");

test.each([
  ["application/pdf", "%PDF-1.7"],
  ["image/png", hex("89504e470d0a1a0a")],
  ["image/jpeg", hex("ffd8ffe0")],
  ["image/gif", "GIF89a"],
  ["image/webp", "RIFF\0\0\0\0WEBP"],
  ["image/avif", "\0\0\0\x20ftypavif"],
  ["image/svg+xml", '<?xml version="1.0"?>\n<svg xmlns="x">'],
  ["text/html", "\xef\xbb\xbf\r\n<!DOCTYPE html>"],
  ["application/rtf", "{\\rtf1"],
  ["application/zip", zip({ name: "a.csv" })],
  [
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    zip({ name: "[Content_Types].xml" }, { name: "word/document.xml" }),
  ],
  ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", zip({ name: "xl/workbook.xml" })],
  [
    "application/vnd.oasis.opendocument.text",
    zip({ name: "mimetype", content: "application/vnd.oasis.opendocument.text" }),
  ],
  ["application/java-archive", zip({ name: "META-INF/MANIFEST.MF" })],
  ["application/vnd.android.package-archive", zip({ name: "AndroidManifest.xml" }, { name: "META-INF/MANIFEST.MF" })],
  ["application/x-7z-compressed", hex("377abcaf271c")],
  ["application/vnd.rar", rar5("a.txt")],
  ["application/gzip", gzipSync("hello")],
  ["application/x-bzip2", "BZh91AY&SY"],
  ["application/x-xz", hex("fd377a585a00")],
  ["application/x-tar", tar("a.txt")],
  ["application/vnd.ms-cab-compressed", "MSCF"],
  ["application/x-iso9660-image", `${"\0".repeat(32_769)}CD001`],
  ["application/vnd.microsoft.portable-executable", program],
  ["application/x-elf", "\x7fELF"],
  ["application/x-mach-binary", hex("cffaedfe")],
  ["application/x-ms-shortcut", hex("4c0000000114020000000000c000000000000046")],
  ["application/msword", compoundFile("WordDocument")],
  ["application/vnd.ms-excel", compoundFile("Workbook")],
  ["application/vnd.ms-outlook", compoundFile("__properties_version1.0")],
  ["application/wasm", "\0asm"],
  ["audio/mpeg", "ID3"],
  ["video/mp4", "\0\0\0\x20ftypisom"],
  ["text/calendar", "BEGIN:VCALENDAR"],
  ["text/vcard", "BEGIN:VCARD"],
  ["message/rfc822", "Received: from x\r\n by y\r\n"],
  ["application/ms-tnef", hex("789f3e22")],
])("the file type %s is recognized by its bytes", (mediaType, content) => {
  expect(attach("file.bin", content).actual?.mediaType).toBe(mediaType);
});

test.each(["", "MZ is the beginning of a text", "Hello", "\0\0\0"])(
  "the file %j has no recognizable type",
  (content) => {
    expect(attach("file.bin", content).actual).toBeNull();
  },
);

describe("a provider rejects a file", () => {
  test.each([
    ["by its ending", "setup.exe", "x", "gmail-refuses: exe"],
    ["by its ending, compressed", "setup.exe.gz", "x", "gmail-refuses: exe"],
    ["by its ending before a final dot", "setup.exe. ", "x", "gmail-refuses: exe"],
    ["by its content, whatever its name", "photo", program, "gmail-refuses: exe"],
    [
      "by its content, packed as a ZIP without an ending",
      "notes",
      zip({ name: "AndroidManifest.xml" }),
      "gmail-refuses: apk",
    ],
    ["that only Outlook blocks", "site.url", "x", "outlook-blocks: url"],
    ["for a script in a ZIP", "a.zip", zip({ name: "x/run.js" }), "gmail-refuses-inside: x/run.js"],
    ["for a script in a tar", "a.tar", tar("a.txt", "run.vbs"), "gmail-refuses-inside: run.vbs"],
    ["for a script in a compressed tar", "a.tgz", gzipSync(tar("run.vbs")), "gmail-refuses-inside: run.vbs"],
    ["for a script in a RAR 4", "a.rar", rar4("run.scr"), "gmail-refuses-inside: run.scr"],
    ["for a script in a RAR 5", "a.rar", rar5("run.scr"), "gmail-refuses-inside: run.scr"],
    ["for a program in a gzip file", "a.gz", gzipSync(program), "gmail-refuses-inside: content.exe"],
  ])("a provider rejects a file %s", (_, name, content, warning) => {
    expect(warningsOf(name, content)).toEqual([warning]);
  });

  test("a provider rejects an archive in an encrypted archive", () => {
    expect(warningsOf("a.zip", zip({ name: "b.zip", encrypted: true }))).toEqual([
      "archive-in-encrypted: b.zip",
      "encrypted: ZIP",
    ]);
    expect(attach("a.zip", zip({ name: "b.7z" }))).toMatchObject({ nestedArchive: "b.7z", warnings: [] });
  });

  test.each([
    ["report.pdf", "%PDF-1.7"],
    ["table.docx", zip({ name: "word/document.xml" }, { name: "word/embedded.js" })],
    ["data.zip", zip({ name: "a.csv" }, { name: "b/c.txt" })],
    ["data.csv.gz", gzipSync("a,b")],
    ["invite.ics", "BEGIN:VCALENDAR"],
  ])("no provider rejects %s", (name, content) => {
    expect(warningsOf(name, content)).toEqual([]);
  });
});

describe("a file name is disguised", () => {
  test.each([
    ["invoice.pdf.html", "hidden-ending: html"],
    ["invoice.pdf.exe", "hidden-ending: exe"],
    ["invoice.pdf      .scr", "hidden-ending: scr"],
    ["a.txt\u200b.js", "hidden-ending: js"],
    ["a\u202efdp.exe", "direction-override: a\u202efdp.exe"],
    [`a${" ".repeat(30)}.pdf`, `hidden-characters: a${" ".repeat(30)}.pdf`],
    ["a\u0007.pdf", "hidden-characters: a\u0007.pdf"],
  ])("the file name %j is disguised", (name, warning) => {
    const utf8 = Buffer.from(name).toString("latin1");
    expect(warningsOf(utf8, "x")).toContain(warning);
  });

  test.each(["v1.2.pdf", "a.tar.gz", "photo.jpg.png", "report 2026.11.docx", "Grüße.pdf"])(
    "the file name %j is not disguised",
    (name) => {
      expect(warningsOf(Buffer.from(name).toString("latin1"), "x")).toEqual([]);
    },
  );

  test("a file name is disguised by two names with different endings, but not by one name in two forms", () => {
    expect(warningsOf("a.pdf", "%PDF-", "application/pdf; name=a.doc")).toEqual(["two-names: a.doc"]);
    const signature = "application/pgp-signature; name=OpenPGP_signature.asc";
    expect(warningsOf("OpenPGP_signature", "-----BEGIN PGP SIGNATURE-----", signature)).toEqual([]);
    const encoded = "application/pdf; name*=utf-8''%e2%82%ac.pdf";
    expect(warningsOf("a.pdf", "%PDF-", encoded)).toEqual([]);
  });
});

describe("a file's declared type", () => {
  test.each([
    ["photo.jpg", zip({ name: "a.csv" }), "image/jpeg", "application/zip"],
    ["report.pdf", "<html>", "application/pdf", "text/html"],
    ["page", "%PDF-1.7", "image/png", "application/pdf"],
    ["logo.png", "<svg >", "image/png", "image/svg+xml"],
  ])("a file's declared type is reported for %s if the content differs", (name, content, declared, actual) => {
    expect(warningsOf(name, content, declared)).toContain(`type-mismatch: ${actual}`);
  });

  test.each([
    ["a.pdf", "%PDF-1.7", "application/octet-stream"],
    ["a.pdf", "%PDF-1.7", "image/png"],
    ["photo.jpg", hex("89504e470d0a1a0a"), "image/jpeg"],
    ["a.doc", "{\\rtf1", "application/msword"],
    ["a.docx", zip({ name: "a.xml" }), "application/octet-stream"],
    ["a.eml", "Received: x\r\n y\r\n", "message/x"],
    ["a.unknown", "%PDF-1.7", "application/x-unknown"],
  ])("a file's declared type is accepted for %s if the content can match", (name, content, declared) => {
    expect(warningsOf(name, content, declared)).toEqual([]);
  });

  test("a file's declared type is reported if only Outlook can open it", () => {
    expect(warningsOf("winmail.dat", hex("789f3e22"), "application/ms-tnef")).toEqual([
      "outlook-only: application/ms-tnef",
    ]);
  });
});

describe("a file is risky", () => {
  test("an HTML page is a risky file, unless it is an image that the message shows", () => {
    expect(warningsOf("doc.html", "<html>", "text/html")).toEqual(["page: HTML"]);
    expect(warningsOf("a.svg", "<svg >", "image/svg+xml")).toEqual(["page: SVG"]);
    const shown = part(["Content-Type: image/svg+xml", "Content-ID: <a>", "Content-Disposition: inline"], "<svg >");
    const raw = letter(...ordinaryHead, multipart("related", "m", text, shown));
    expect(readAttachments(raw, parseMessage(raw))[0]?.warnings).toEqual([]);
  });

  test.each([
    ["a.xlsm", zip({ name: "word/document.xml" }, { name: "word/vbaProject.bin" })],
    ["a.doc", compoundFile("WordDocument", "Macros")],
    ["a.xls", compoundFile("Workbook", "_VBA_PROJECT_CUR")],
  ])("a file with macros is risky: %s", (name, content) => {
    expect(attach(name, content)).toMatchObject({ macros: true, warnings: [{ warning: "macros" }] });
  });

  test.each([
    ["a.zip", zip({ name: "a.txt", encrypted: true })],
    ["a.docx", compoundFile("EncryptedPackage")],
    ["a.pdf", "%PDF-1.7 trailer << /Encrypt 12 0 R >>"],
    ["a.rar", rar4("a.txt", { encrypted: true })],
    ["a.rar", rar4("a.txt", { headersEncrypted: true })],
    ["a.rar", rar5("a.txt", { headersEncrypted: true })],
  ])("an encrypted file is risky: %s", (name, content) => {
    expect(attach(name, content)).toMatchObject({ encrypted: true, warnings: [{ warning: "encrypted" }] });
  });

  test("a signed PDF or a document without macros is not risky", () => {
    expect(warningsOf("a.pdf", "%PDF-1.7 /Type /Sig /EncryptMetadata false")).toEqual([]);
    expect(warningsOf("a.doc", compoundFile("WordDocument", "1Table"))).toEqual([]);
  });

  test("a decompression bomb is reported and never unpacked", () => {
    const bomb = zip(...Array.from({ length: 20 }, (_, at) => ({ name: `${at}.txt`, bytes: 4_000_000_000 })));
    expect(warningsOf("a.zip", bomb)).toEqual(["bomb: 80000000000"]);
  });

  test("a damaged archive is risky", () => {
    expect(warningsOf("a.zip", zip({ name: "a.txt" }).subarray(0, 40))).toEqual(["damaged: ZIP"]);
  });
});

test("files in an embedded message are listed with it", () => {
  const inner = letter(...ordinaryHead, multipart("mixed", "i", text, part(["Content-Type: x/y; name=run.js"], "x")));
  const embedded = part(["Content-Type: message/rfc822"], inner.toString("latin1"));
  const raw = letter(...ordinaryHead, multipart("mixed", "m", text, embedded));
  const [attachment] = readAttachments(raw, parseMessage(raw));
  expect(attachment).toMatchObject({ declared: "message/rfc822", entries: [{ name: "run.js" }] });
  expect(attachment?.warnings).toEqual([{ warning: "gmail-refuses-inside", value: "run.js" }]);
});

test("attachments over the limit are listed without opening them", () => {
  const file = part(["Content-Type: application/pdf; name=a.exe"], "x");
  const raw = letter(...ordinaryHead, multipart("mixed", "m", ...Array(250).fill(file)));
  const attachments = readAttachments(raw, parseMessage(raw));
  expect(attachments.length).toBe(250);
  expect(attachments[249]?.warnings.map(({ warning }) => warning)).toEqual(["not-opened", "gmail-refuses"]);
});

describe("the content view of a message", () => {
  const raw = mailWith("a.pdf", "%PDF-1.7", "application/pdf", ["Content-ID: <a@x>"]);
  const message = parseMessage(raw);

  test("the content view of a message has its headers, its bodies, and its files", () => {
    const eml = toEml(raw, message, readAttachments(raw, message));
    expect(eml.headers[3]).toEqual({ name: "Subject", value: "Hello" });
    expect(eml.body).toEqual({ text: "hi", html: null });
    expect(eml.attachments).toEqual([
      {
        part: "2",
        filename: "a.pdf",
        content_type: "application/pdf",
        actual_type: "application/pdf",
        size_bytes: 8,
        sha256: "86edbaa24831badfa0a8b04bb410141e2ee4182b6d0014493fe262a7a331c20b",
        disposition: "attachment",
        cid: "a@x",
        warnings: [],
      },
    ]);
  });

  test.each([76, 8, 4, 2])(
    "the content view of a message returns a complete file with base64 lines of %s characters",
    (width) => {
      const content = Buffer.alloc(3_000, "abc");
      const lines = content.toString("base64").replace(new RegExp(`.{${width}}`, "g"), "$&\r\n");
      const head = ["Content-Type: x/y; name=a.bin", "Content-Transfer-Encoding: base64"];
      const sent = letter(...ordinaryHead, multipart("mixed", "m", text, part(head, lines)));
      const found = readPart(sent, parseMessage(sent), "2");
      expect(Buffer.compare(found?.content ?? Buffer.alloc(0), content)).toBe(0);
    },
  );

  test("the content view of a message returns a complete text with base64 lines of two characters", () => {
    const lines = Buffer.alloc(3_000, "abc").toString("base64").replace(/../g, "$&\r\n");
    const sent = letter(...ordinaryHead, "Content-Transfer-Encoding: base64", "", lines);
    expect(parseMessage(sent).text?.text).toBe("abc".repeat(1_000));
  });

  test("the content view of a message returns one file's bytes by its part, and nothing for other paths", () => {
    expect(Buffer.from(readPart(raw, message, "2")?.content ?? "").toString()).toBe("%PDF-1.7");
    expect(readPart(raw, message, "0")).toBeUndefined();
    expect(readPart(raw, message, "3")).toBeUndefined();
  });
});
