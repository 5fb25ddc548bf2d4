import { expect, test } from "vitest";
import { toEvidenceRows } from "../../../src/analyzer/words/evidence-words.ts";

const told = { duration: (ms: number) => `${ms} ms`, moment: (time: string) => time };
const says = "This bulk message has no List-Unsubscribe header.";
const fix = "Add both, signed: `List-Unsubscribe: <https://a.example/u/TOKEN>`.";

test("evidence that the sentence or the fix already contains is not repeated", () => {
  const evidence = {
    what: "This bulk message",
    how: "Add both, signed: `List-Unsubscribe: <https://a.example/u/TOKEN>`",
    whole: `${says} It came from a list.`,
    headers: ["List-Unsubscribe", "bulk message"],
  };
  expect(toEvidenceRows(evidence, [says, fix], told)).toEqual([]);
});

test("other evidence is shown with readable names", () => {
  const evidence = { fromDomain: "a.example.net", link: { href: "https://b.example/" }, ip: "192.0.2.1" };
  expect(toEvidenceRows(evidence, [says, fix], told)).toEqual([
    { name: "From domain", value: "a.example.net" },
    { name: "Link address", value: "https://b.example/" },
    { name: "IP address", value: "192.0.2.1" },
  ]);
});

test("codes and unnamed values are not shown", () => {
  const evidence = {
    warnings: ["gmail-refuses"],
    count: 3,
    area: 0,
    tiedToDomain: false,
    brandNew: "x",
    actual: { name: "Windows program", family: "program" },
    listings: [{ zone: "dbl.example", class: "bad" }],
    pixels: [{ src: "https://a.example/1" }, { src: "https://a.example/2" }],
  };
  expect(toEvidenceRows(evidence, [says], told)).toEqual([
    { name: "Actual name", value: "Windows program" },
    { name: "Listing list", value: "dbl.example" },
    { name: "Pixel 1", value: "image address: https://a.example/1" },
    { name: "Pixel 2", value: "image address: https://a.example/2" },
  ]);
});

test("the values of a member of a list share a row, without counts of characters", () => {
  const styles = [
    { chars: 34, fontPx: 9, color: "#bbb", sample: "Bye" },
    { chars: 12, fontPx: 10, color: "#ccc", sample: "Unsubscribe" },
  ];
  expect(toEvidenceRows({ chars: 46, styles }, ["Text is only 9 px high."], told)).toEqual([
    { name: "Text style 1", value: "color: #bbb\nsample: Bye" },
    { name: "Text style 2", value: "font size in px: 10\ncolor: #ccc\nsample: Unsubscribe" },
  ]);
});

test("a number or a word inside a longer one does not count as contained", () => {
  const evidence = { links: 1, word: "list" };
  expect(toEvidenceRows(evidence, ["10 links, all listed."], told)).toHaveLength(2);
  expect(toEvidenceRows(evidence, ["1 link in the list."], told)).toEqual([]);
});
