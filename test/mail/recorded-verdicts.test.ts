import { describe, expect, test } from "vitest";
import { readHeaderSection } from "../../src/mail/header-fields.ts";
import { readRecorded } from "../../src/mail/recorded-verdicts.ts";

const read = (lines: readonly string[], ...trusted: string[]) =>
  readRecorded(readHeaderSection(Buffer.from(`${lines.join("\r\n")}\r\n\r\nHello`)), trusted);
const stamp = (client: string, by: string) =>
  `Received: from ${client} by ${by} with ESMTP id 1; Mon, 3 Jun 2024 10:00:00 +0000`;
const border = stamp(
  "mail.a.example (mail.a.example [198.51.100.9])".replace("198.51.100", "93.184.215"),
  "mx.b.example",
);
const results =
  "Authentication-Results: mx.b.example; spf=pass smtp.mailfrom=ann@a.example; dkim=pass header.d=a.example header.s=s1; dmarc=pass (p=reject) header.from=a.example";

describe("what a trusted receiver recorded", () => {
  test("is read from the block on top", () => {
    const recorded = read(
      ["Return-Path: <bounce@a.example>", results, border, "From: ann@a.example"],
      "mx.b.example",
    );
    expect(recorded).toMatchObject({
      by: "mx.b.example",
      clientAddress: "93.184.215.9",
      helo: "mail.a.example",
      mailFrom: "bounce@a.example",
    });
    expect(recorded?.results.map(({ method, result, properties }) => [method, result, properties])).toEqual([
      ["spf", "pass", { "smtp.mailfrom": "ann@a.example" }],
      ["dkim", "pass", { "header.d": "a.example", "header.s": "s1" }],
      ["dmarc", "pass", { "header.from": "a.example" }],
    ]);
  });

  test("counts for whom the person names alone, and for hosts below that name", () => {
    expect(read([results, border])).toBeNull();
    expect(read([results, border], "mx.c.example")).toBeNull();
    expect(read([results, border], "evilmx.b.example")).toBeNull();
    expect(read([results, border], "B.example")).toMatchObject({ by: "b.example" });
  });

  test("is not believed below the Received header by which the message came in", () => {
    const forged = ["Authentication-Results: mx.b.example; spf=fail", border, results];
    expect(read(forged, "mx.b.example")?.results.map(({ result }) => result)).toEqual(["fail"]);
    expect(read([border, results], "mx.b.example")?.results).toEqual([]);
  });

  test("is not believed where another receiver took the message in, whatever the sender wrote below", () => {
    const outside = stamp("x.evil.example (x.evil.example [93.184.215.66])", "mx.c.example");
    expect(read([outside, results, border], "mx.b.example")).toBeNull();
    expect(read([results], "mx.b.example")).toBeNull();
  });

  test("is found behind hand-overs inside the network, and behind a host that is trusted too", () => {
    const inside = stamp("mx.b.example (mx.b.example [10.0.0.2])", "store.b.example");
    expect(read([inside, results, border], "mx.b.example")).toMatchObject({ clientAddress: "93.184.215.9" });
    const public_ = stamp("mx.b.example (mx.b.example [93.184.215.2])", "store.c.example");
    expect(read([public_, results, border], "mx.b.example")).toMatchObject({ clientAddress: "93.184.215.9" });
  });

  test("is read from ARC where the results are below, as Gmail writes them", () => {
    const arc = "ARC-Authentication-Results: i=1; mx.b.example; dkim=pass header.i=@a.example; spf=softfail";
    expect(read([arc, border, results], "mx.b.example")?.results.map(({ result }) => result)).toEqual([
      "pass",
      "softfail",
    ]);
  });
});
