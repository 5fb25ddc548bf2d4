import { describe, expect, test } from "vitest";
import { parseMessage } from "../../../../src/analyzer/mail/mime/parse.ts";
import { letter, multipart, ordinaryHead, part } from "../letter.ts";

const plain = (text: string) => part(["Content-Type: text/plain; charset=utf-8"], text);
const html = (text: string) => part(["Content-Type: text/html; charset=utf-8"], text);
const file = (name: string) =>
  part(["Content-Type: application/pdf", `Content-Disposition: attachment; filename="${name}"`], "%PDF-1.7");
const mail = (body: string) => parseMessage(letter(...ordinaryHead, body));

describe("the headers of a message", () => {
  test("the headers of a message are decoded for display", () => {
    const message = parseMessage(
      letter(
        "From: =?utf-8?Q?Ann=C3=A9?= <ann@sender.example>",
        "Sender: robot@sender.example",
        "Reply-To: help@sender.example",
        "To: Friends: b@x.example, c@x.example;",
        'Cc: "D, Dr." <d@x.example>',
        "Subject: =?utf-8?B?SMOpbA==?=",
        " =?utf-8?B?bG8=?=",
        "Date: Sat, 21 Nov 2026 15:00:00 +0100",
        "Message-ID: <1@sender.example>",
        "In-Reply-To: <0@x.example>",
        "References: <a@x.example>",
        "\t<0@x.example>",
        "",
        "Hi",
      ),
    );
    expect(message.subject).toBe("Héllo");
    expect(message.from.list.map(({ name, address }) => [name, address])).toEqual([["Anné", "ann@sender.example"]]);
    expect(message.sender.list[0]?.address).toBe("robot@sender.example");
    expect(message.replyTo.list[0]?.address).toBe("help@sender.example");
    expect(message.to).toMatchObject({ count: 2, groups: ["Friends"] });
    expect(message.cc.list[0]).toMatchObject({ name: "D, Dr.", address: "d@x.example" });
    expect(message.date?.reading).toMatchObject({
      ok: true,
      date: { at: Date.UTC(2026, 10, 21, 14), offsetMinutes: 60 },
    });
    expect(message.messageId).toBe("<1@sender.example>");
    expect(message.inReplyTo).toEqual(["<0@x.example>"]);
    expect(message.references).toEqual(["<a@x.example>", "<0@x.example>"]);
  });

  test("the headers of a message keep their order and repetitions", () => {
    const { headers } = parseMessage(letter("X-B: 1", "x-a: 2", "X-B: 3", "", ""));
    expect(headers).toEqual([
      { name: "X-B", key: "x-b", value: "1" },
      { name: "x-a", key: "x-a", value: "2" },
      { name: "X-B", key: "x-b", value: "3" },
    ]);
  });

  test.each([
    ["UTF-8", "Gr\xc3\xbc\xc3\x9fe", "Grüße"],
    ["Latin-1", "Gr\xfc\xdfe", "Grüße"],
    ["Japanese escapes", "\u001b$B%a!<%k\u001b(B", "メール"],
  ])("the headers of a message are decoded from raw %s bytes", (_, subject, read) => {
    expect(parseMessage(letter(`Subject: ${subject}`, "", "")).subject).toBe(read);
  });

  test("the headers of a message are reported as missing if they are missing", () => {
    const nothing = parseMessage(letter(""));
    expect(nothing).toMatchObject({ subject: null, date: null, messageId: null, fromText: null, isEmpty: true });
    expect(nothing.from.count).toBe(0);
  });
});

describe("the bodies of a message", () => {
  test("the bodies of a message are its text and its HTML, each decoded once", () => {
    const message = mail(multipart("alternative", "b", plain("Gr\xc3\xbc\xc3\x9fe"), html("<p>hi</p>")));
    expect(message.text?.text).toBe("Grüße");
    expect(message.html?.text).toBe("<p>hi</p>");
    expect(message.text?.decodedBytes).toBe(7);
    expect(message.alternatives.map(({ type }) => type)).toEqual(["text/plain", "text/html"]);
    expect(message.attachments).toEqual([]);
  });

  test("the bodies of a message are found in related and mixed parts, and attachments next to them", () => {
    const image = part(["Content-Type: image/png", "Content-ID: <logo@x>"], "\x89PNG");
    const related = multipart("related", "r", html("<img src=cid:logo@x>"), image);
    const message = mail(multipart("mixed", "m", multipart("alternative", "a", plain("hi"), related), file("a.pdf")));
    expect(message.html?.parts.map(({ path }) => path)).toEqual(["1.2.1"]);
    expect(message.attachments.map(({ path, cid, filename }) => [path, cid, filename])).toEqual([
      ["1.2.2", "logo@x", null],
      ["2", null, "a.pdf"],
    ]);
  });

  test("the bodies of a message include all text parts, but not a text attachment", () => {
    const footer = plain("-- list");
    const log = part(["Content-Type: text/plain; name=a.log"], "log");
    const attached = part(["Content-Type: text/html", "Content-Disposition: attachment"], "<p>");
    const message = mail(multipart("mixed", "m", plain("hi"), footer, log, attached));
    expect(message.text?.text).toBe("hi\n-- list");
    expect(message.html).toBeNull();
    expect(message.attachments.map(({ path }) => path)).toEqual(["3", "4"]);
  });

  test("the bodies of a message exclude those of an embedded message, which is one attachment", () => {
    const inner = letter(...ordinaryHead, multipart("alternative", "i", plain("inner"), html("<p>inner</p>")));
    const embedded = part(["Content-Type: message/rfc822"], inner.toString("latin1"));
    const message = mail(multipart("mixed", "m", plain("outer"), embedded));
    expect(message.text?.text).toBe("outer");
    expect(message.html).toBeNull();
    expect(message.attachments.map(({ path, type }) => [path, type])).toEqual([["2", "message/rfc822"]]);
    expect(message.attachments[0]?.parts[0]?.parts.map(({ path }) => path)).toEqual(["2.1", "2.2"]);
  });

  test("the bodies of a message over the limit are cut and marked, with their full size", () => {
    const message = mail(html("<a>".repeat(500_000)));
    expect(message.html).toMatchObject({ isCut: true, decodedBytes: 1_500_000 });
    expect(message.html?.text.length).toBe(1_048_576);
    expect(message.cuts).toEqual([{ what: "htmlBytes", bound: 1_048_576, actual: 1_500_000 }]);
  });

  test("the bodies of a message that are blank make an empty message, unlike one line or one attachment", () => {
    expect(mail(plain(" \r\n \r\n")).isEmpty).toBe(true);
    expect(mail(plain("a")).isEmpty).toBe(false);
    expect(mail(multipart("mixed", "m", plain(""), file("a.pdf"))).isEmpty).toBe(false);
    expect(mail("Content-Type: multipart/mixed; boundary=m\r\n\r\n--other\r\n\r\nhi").isEmpty).toBe(false);
    expect(mail(part(["Content-Type: text/enriched"], "<bold>hi</bold>")).isEmpty).toBe(false);
  });
});

describe("the parts of a message", () => {
  test("the parts of a message have IMAP's numbers, their types, and their sizes", () => {
    const { root, nesting } = mail(
      multipart(
        "mixed",
        "m",
        multipart("alternative", "a", plain("hi"), html("<p>")),
        part(["Content-Type: Application/PDF; name=x.pdf", "Content-Transfer-Encoding: base64"], "JVBERi0x"),
      ),
    );
    expect([root.path, root.type, nesting]).toEqual(["0", "multipart/mixed", 2]);
    expect(root.parts.map(({ path }) => path)).toEqual(["1", "2"]);
    expect(root.parts[0]?.parts.map(({ path }) => path)).toEqual(["1.1", "1.2"]);
    expect(root.parts[1]).toMatchObject({
      type: "application/pdf",
      typeWritten: "Application/PDF; name=x.pdf",
      encoding: "base64",
      encodedBytes: 8,
      decodedBytes: 6,
      filename: "x.pdf",
    });
    expect(mail(plain("hi")).root).toMatchObject({ path: "1", charset: { declared: "utf-8", isKnown: true } });
  });

  test.each([
    ["plain", `filename="a b.pdf"`, "a b.pdf", "plain"],
    ["a bare word", "filename=a.pdf", "a.pdf", "plain"],
    ["a quotation mark in quotes", String.raw`filename="a\"b.pdf"`, `a"b.pdf`, "plain"],
    ["encoded words", `filename="=?utf-8?Q?=E2=82=AC.pdf?="`, "€.pdf", "rfc2047"],
    ["raw UTF-8", `filename="\xe2\x82\xac.pdf"`, "€.pdf", "plain"],
    ["RFC 2231", "filename*=utf-8''%e2%82%ac.pdf", "€.pdf", "rfc2231"],
    ["RFC 2231 in Latin-1", "filename*=iso-8859-1'de'gr%fc%dfe.pdf", "grüße.pdf", "rfc2231"],
    ["continuations", `filename*0="a "; filename*1="b.pdf"`, "a b.pdf", "rfc2231"],
    ["continuations out of order", `filename*1="b.pdf"; filename*0="a "`, "a b.pdf", "rfc2231"],
    ["mixed continuations", `filename*0*=utf-8''%e2%82; filename*1*=%ac; filename*2=".pdf"`, "€.pdf", "rfc2231"],
    ["a semicolon in quotes", `filename="a;b.pdf"`, "a;b.pdf", "plain"],
    ["a comment before it", "(x) ; filename=a.pdf", "a.pdf", "plain"],
    ["a direction override", "filename*=utf-8''%e2%80%aefdp.exe", "\u202efdp.exe", "rfc2231"],
  ])("the parts of a message have a file name: %s", (_, parameter, filename, form) => {
    const { root } = mail(
      part(["Content-Type: application/pdf", `Content-Disposition: attachment; ${parameter}`], "x"),
    );
    expect(root.filename).toBe(filename);
    expect(root.names).toEqual([{ parameter: "filename", form, value: filename }]);
  });

  test("the parts of a message have all their names, and show the one in RFC 2231 form", () => {
    const { root } = mail(
      part(
        ["Content-Type: text/csv; name=c.csv", "Content-Disposition: attachment; filename=a.csv; filename*=''b.csv"],
        "x",
      ),
    );
    expect(root.filename).toBe("b.csv");
    expect(root.names.map(({ value }) => value)).toEqual(["a.csv", "b.csv", "c.csv"]);
  });

  test("the parts of a message end at a delimiter of an outer multipart, even if the inner one was not closed", () => {
    const { root } = mail(
      [
        "Content-Type: multipart/mixed; boundary=m",
        "",
        "--m",
        "Content-Type: multipart/alternative; boundary=a",
        "",
        "--a",
        "",
        "one",
        "--m",
        "",
        "two",
        "--m--",
      ].join("\r\n"),
    );
    expect(root.parts.map(({ path, parts }) => [path, parts.length])).toEqual([
      ["1", 1],
      ["2", 0],
    ]);
    expect(root.parts[0]?.parts[0]?.decodedBytes).toBe(3);
  });

  test("the parts of a message are not split by a line that only starts like a delimiter", () => {
    const { root } = mail(multipart("mixed", "b", plain("--bc\r\n--b x\r\n-- b")));
    expect(root.parts.length).toBe(1);
  });
});
