import { expect, test } from "vitest";
import { fill, placesOf } from "../../../src/analyzer/checks/words.ts";

test("placeholders are filled in, and lists read like a sentence", () => {
  expect(fill("{count} records at {name}.", { count: 2, name: "a.example" })).toBe("2 records at a.example.");
  expect(fill("{hosts} do not resolve.", { hosts: ["a", "b", "c"] })).toBe("a, b, and c do not resolve.");
  expect(fill("{hosts}", { hosts: ["a", "b", "c", "d", "e", "f", "g"] })).toBe("a, b, c, d, e, and 2 more");
});

test("a part in double brackets is left out if its value is missing", () => {
  const sentence = "Sign with d={domain}[[; at {esp} this is called domain authentication]].";
  expect(fill(sentence, { domain: "a.example", esp: "Acme" })).toBe(
    "Sign with d=a.example; at Acme this is called domain authentication.",
  );
  expect(fill(sentence, { domain: "a.example", esp: null })).toBe("Sign with d=a.example.");
  expect(fill(sentence, { domain: "a.example" })).toBe("Sign with d=a.example.");
});

test("an unfilled placeholder is an error in the check", () => {
  expect(() => fill("No record at {name}.", {})).toThrow("{name} is not filled in");
  expect(() => fill("No record at {name}.", { name: null })).toThrow();
});

test("placeholders in a sender's own text are not filled in", () => {
  expect(fill("It says {value}.", { value: "{name} [[x]]" })).toBe("It says {name} [[x]].");
});

test("a sender's own text stays on one line and cannot move the cursor", () => {
  expect(fill("It says {value}.", { value: "a\r\n\tb \u001b[2J\u202ec" })).toBe("It says a b \\u001b[2J\\u202ec.");
  expect(fill("It says {value}.", { value: "👩\u200d💻 می\u200cخواهم" })).toBe("It says 👩\u200d💻 می\u200cخواهم.");
});

test("the required and optional placeholders of a text are listed", () => {
  expect(placesOf("{a} and {b}[[ or {c}]]")).toEqual({ needed: ["a", "b"], optional: ["c"] });
});
