import { describe, expect, test } from "vitest";
import { createDice } from "../../../scripts/dice.ts";
import { toForwardingPrediction } from "../../../src/features/tests/contract/forwarding.ts";
import { writeLetters } from "../../e2e/forwarding/letters.ts";
import { predict } from "../../e2e/forwarding/prove.ts";

const letters = new Map((await writeLetters()).map(({ name, message }) => [name, message]));

async function foresee(message: string) {
  return toForwardingPrediction(await predict(Buffer.from(message, "latin1")));
}

const ofLetter = (name: string) => foresee(letters.get(name) ?? "");

const summaries = {
  "text, relaxed/relaxed": "Survives forwarding. Breaks on mailing lists that add a footer or a subject tag.",
  "text, simple/simple": "Survives forwarding. Breaks on mailing lists.",
  "text with l=": "Survives forwarding. Breaks on mailing lists that add a subject tag.",
  "text with l=, subject not signed": "Survives forwarding. Survives mailing lists.",
  "8bit text":
    "Survives forwarding. Breaks on mailing lists that add a footer or a subject tag. Breaks where a server converts its 8-bit text.",
  "a line of 1,400 characters": "Does not survive forwarding. Breaks on mailing lists.",
  "only a third party's signature":
    "Does not survive forwarding: only SPF authenticates it, because no passing DKIM signature is aligned with a.example.",
};

test.each(Object.entries(summaries))("the summary is right for a message with %s", async (name, summary) => {
  expect((await ofLetter(name)).summary).toBe(summary);
});

const reasons = [
  ["text, relaxed/relaxed", "list-tag", "Subject is signed and changes."],
  ["text, relaxed/relaxed", "list-footer", "The footer changes the body."],
  ["text, relaxed/relaxed", "alias", "DKIM still passes."],
  ["text, simple/simple", "list", "DKIM-Signature is refolded, which c=simple does not allow for headers."],
  ["one-click unsubscribe signed", "list", "List-Unsubscribe is signed and changes."],
  ["fields of lists oversigned", "list", "List-Id and Precedence are added, which h= does not allow."],
  ["Return-Path signed", "alias", "Return-Path is signed and is removed."],
  ["a line that begins with From", "list", 'Lines of the body that begin with "From " get a > in front.'],
  ["8bit text", "downgrade", "The 8-bit text becomes quoted-printable."],
] as const;

test.each(reasons)('the reason is right for a message with %s on the path "%s": %s', async (name, id, reason) => {
  const { transits } = await ofLetter(name);
  expect(transits.find((transit) => transit.id === id)?.says[0]).toBe(reason);
});

describe("forwarding advice", () => {
  test("forwarding advice says to remove l= from the signature", async () => {
    const { advice } = await ofLetter("text with l=");
    expect(advice.join(" ")).toContain("Sign Subject and the whole body");
    expect(advice.join(" ")).toContain("Remove l=");
  });

  test("forwarding advice says to sign for the sender's domain if only SPF passes", async () => {
    const unsigned = (letters.get("text, relaxed/relaxed") ?? "").replace(/^DKIM-Signature:.*\r\n/, "");
    const { summary, advice } = await foresee(`Received: from a by b; Fri, 20 Nov 2026 10:00:00 +0000\r\n${unsigned}`);
    expect(summary).toBe("Does not survive forwarding: only SPF authenticates it.");
    expect(advice[0]).toContain("Sign with DKIM for a.example (d=a.example).");
    const local = await foresee(unsigned.replaceAll("a.example", "web01"));
    expect(local.advice[0]).toContain("Sign with DKIM for your domain.");
  });
});

test("an ARC seal records the pass, but the message still fails DMARC", async () => {
  const { transits } = await ofLetter("text, relaxed/relaxed");
  const sealed = transits.find(({ id }) => id === "list-sealed");
  expect(sealed).toMatchObject({ result: "breaks", dmarc: "fail", arc: "pass" });
  expect(sealed?.says.join(" ")).toContain("A receiver that trusts the sealing domain may accept");
});

test("no prediction is made for malformed headers", async () => {
  const message = letters.get("text, relaxed/relaxed") ?? "";
  const { gap, transits } = await foresee(message.replace("Subject:", "no field here\r\nSubject:"));
  expect({ gap, transits }).toEqual({ gap: "malformed", transits: [] });
});

test("broken MIME parts make paths that rewrite them unknown", async () => {
  const { transits } = await foresee((letters.get("mixed with a file") ?? "").replace("--=_mix_1--", ""));
  const resultOf = (id: string) => transits.find((transit) => transit.id === id)?.result;
  expect([resultOf("list"), resultOf("boundary")]).toEqual(["unknown", "unknown"]);
});

test("no mutated message throws or exceeds the size limits", async () => {
  const dice = createDice(36);
  for (const [name, message] of letters) {
    const bytes = Buffer.from(message, "latin1");
    for (let count = 0; count < 5; count++) bytes[dice(bytes.length)] = dice(256);
    const said = JSON.stringify(await foresee(bytes.toString("latin1")));
    expect(said.length, name).toBeLessThan(40_000);
  }
});

test("long lines in a large message do not prevent a prediction", async () => {
  const line = `${"a ".repeat(490)}\r\n`;
  const large = (letters.get("text, relaxed/relaxed") ?? "") + line.repeat(4_000);
  expect(await foresee(large)).toMatchObject({ gap: null });
});
