import { describe, expect, test } from "vitest";
import { readHeaderSection } from "../../../../src/analyzer/mail/headers/fields.ts";
import { readRecorded } from "../../../../src/analyzer/mail/headers/recorded-verdicts.ts";

const read = (lines: readonly string[], ...trusted: string[]) =>
  readRecorded(readHeaderSection(Buffer.from(`${lines.join("\r\n")}\r\n\r\nHello`)), { trusted });
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
    const recorded = read(["Return-Path: <bounce@a.example>", results, border, "From: ann@a.example"], "mx.b.example");
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

  test("is found below transfers inside the network, and below a host that is trusted too", () => {
    const inside = stamp("mx.b.example (mx.b.example [10.0.0.2])", "store.b.example");
    expect(read([inside, results, border], "mx.b.example")).toMatchObject({ clientAddress: "93.184.215.9" });
    const public_ = stamp("mx.b.example (mx.b.example [93.184.215.2])", "store.c.example");
    expect(read([public_, results, border], "mx.b.example")).toMatchObject({ clientAddress: "93.184.215.9" });
  });

  test.each([
    ["whose name isn't confirmed", "from x (mx.b.example [93.184.215.66] (may be forged)) by mx.b.example with ESMTP"],
    ["whose name nothing confirms", "from mx.b.example (HELO x) (93.184.215.66) by mx.b.example with SMTP"],
    ["behind a balancer", "from gw (gw [10.0.0.5]) by mx.b.example with ESMTP"],
    ["behind a balancer that greets as the server", "from mx.b.example ([10.0.0.5]) by mx.b.example with ESMTP"],
    ["without an address", "from attacker.example by mx.b.example with ESMTP"],
    ["without an address that greets as the server", "from mx.b.example by mx.b.example with ESMTP"],
    ["on the server itself", "by mx.b.example (Postfix, from userid 33)"],
  ])("is not believed below the line of a client %s", (_what, client) => {
    const top = `Received: ${client} id 1; Mon, 3 Jun 2024 10:00:00 +0000`;
    const forged = read([top, results, border, "From: ann@a.example"], "mx.b.example");
    expect(forged).toMatchObject({ by: "mx.b.example", results: [] });
    expect(forged?.clientAddress).not.toBe("93.184.215.9");
    const honest = read([results, top, results.replaceAll("pass", "fail"), border], "mx.b.example");
    expect(honest?.results.map(({ result }) => result)).toEqual(["pass", "pass", "pass"]);
  });

  test.each([
    ["a filter on the same machine", "from localhost (localhost [127.0.0.1]) by mx.b.example (Postfix) with ESMTP"],
    ["delivery into the mailbox", "from mx.b.example by mx.b.example with LMTP"],
    ["delivery over a socket", "from localhost ([unix socket]) by store.b.example (Cyrus v3) with LMTPA"],
    ["Gmail's own servers", "by 2002:a05:6a10:1234:b0:2a1:1:2 with SMTP"],
    ["a relay that is named", "from in.b.example (in.b.example [10.0.0.2]) by mx.b.example with ESMTP"],
  ])("is found behind %s", (_what, line) => {
    const top = `Received: ${line} id 1; Mon, 3 Jun 2024 10:00:00 +0000 (UTC)`;
    const recorded = read([top, results, border], "mx.b.example", "in.b.example");
    expect(recorded).toMatchObject({ clientAddress: "93.184.215.9" });
    expect(recorded?.results).toHaveLength(3);
  });

  test("without a client on the internet nothing is said of it, and a stranger's line vouches for nothing", () => {
    const behind = stamp("gw (gw [10.0.0.5])", "mx.b.example");
    expect(read([results, behind], "mx.b.example")).toMatchObject({ clientAddress: null, helo: null });
    expect(read([results, stamp("gw (gw [10.0.0.5])", "mx.c.example")], "mx.b.example")).toBeNull();
  });

  test("is read from ARC where the results are below, as Gmail writes them", () => {
    const arc = "ARC-Authentication-Results: i=1; mx.b.example; dkim=pass header.i=@a.example; spf=softfail";
    expect(read([arc, border, results], "mx.b.example")?.results.map(({ result }) => result)).toEqual([
      "pass",
      "softfail",
    ]);
  });
});
