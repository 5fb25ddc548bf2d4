import { describe, expect, test } from "vitest";
import { readSighting } from "../../../src/analyzer/reports/read-sighting.ts";

const place = { folder: "inbox", folderName: "INBOX", arrivedAt: 5 } as const;
const read = (...lines: string[]) => readSighting(Buffer.from(lines.join("\r\n")), place);

describe("reading a message from a seed mailbox", () => {
  test("reading a message from a seed mailbox finds the test IDs of the header and of every body", () => {
    const sighting = read(
      "X-Assay-Id: one-mark",
      "X-Assay-Id: other-mark",
      "Content-Type: multipart/alternative; boundary=b",
      "",
      "--b",
      "Content-Type: text/plain",
      "",
      "See assay-0123456789 and ASSAY-0123456789, not assay-verify=x or my-assay-0123456789.",
      "--b",
      "Content-Type: text/html",
      "Content-Transfer-Encoding: base64",
      "",
      Buffer.from("<p>assay-from-html</p>").toString("base64"),
      "--b--",
    );
    expect(sighting.assayIds).toEqual(["one-mark", "other-mark"]);
    expect(sighting.bodyTokens).toEqual(["assay-0123456789", "assay-from-html"]);
  });

  test("reading a message from a seed mailbox decodes sender, subject, and Message-ID as email clients do", () => {
    expect(
      read(
        "From: =?utf-8?q?Ann?= <Ann@Sender.Example>",
        "Subject: =?utf-8?q?Hell=C3=B6?=",
        "Message-ID: <a@b.example>",
        "",
        "",
      ),
    ).toMatchObject({ from: "ann@sender.example", subject: "Hellö", messageId: "a@b.example" });
    expect(read("X: y", "", "")).toMatchObject({ from: null, subject: null, messageId: null, bodyTokens: [] });
  });

  test("reading a message from a seed mailbox returns only the receiver's results above the author's headers", () => {
    const { evidence } = read(
      "Authentication-Results: mx.receiver.example;",
      "\tdkim=pass",
      "Received: from sender",
      "From: ann@sender.example",
      "Authentication-Results: forged.example; dmarc=pass",
      "X-Forefront-Antispam-Report: SCL:5",
      "X-Mailer: mine",
      "",
      "",
    );
    expect(evidence).toEqual({
      authenticationResults: ["mx.receiver.example; dkim=pass"],
      headers: [{ name: "X-Forefront-Antispam-Report", value: "SCL:5" }],
    });
  });

  test("reading a message from a seed mailbox returns limited text that can be stored", () => {
    const sighting = read(
      ...Array.from({ length: 50 }, (_, at) => `Authentication-Results: mx; ${at}${"x".repeat(5_000)}`),
      ...Array.from({ length: 50 }, (_, at) => `X-Assay-Id: ${at}\0`),
      `Subject: ${"s".repeat(50_000)}`,
      "",
      Array.from({ length: 50 }, (_, at) => `assay-token-number-${at}`).join(" "),
    );
    expect(JSON.stringify(sighting).length).toBeLessThan(12_000);
    expect(JSON.stringify(sighting)).not.toContain("\\u0000");
    expect(sighting.bodyTokens).toHaveLength(4);
  });

  test("reading a message from a seed mailbox accepts bytes that are not a message, or only part of one", () => {
    expect(readSighting(new Uint8Array([0, 255, 13, 10, 0]), place)).toMatchObject({ assayIds: [], folder: "inbox" });
    expect(
      read("Subject: cut", "Content-Type: multipart/mixed; boundary=b", "", "--b", "", "assay-12345678"),
    ).toMatchObject({ subject: "cut", bodyTokens: ["assay-12345678"] });
  });
});
