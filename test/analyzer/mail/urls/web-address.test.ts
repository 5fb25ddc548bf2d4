import { expect, test } from "vitest";
import { readWebAddress } from "../../../../src/analyzer/mail/urls/web-address.ts";

const pieces =
  "a b.c -- xn-- 0 9 . .. / /./ /../ %2e %2E/ %zz ? # : @ ' | [ ~ $ & = + , ; * ! ( ) _ example.com co.uk com.1 0x1 1.2.3.4 é :80 /a ?q=1 #f \\".split(
    " ",
  );

test("a web address is parsed as a browser does", () => {
  let state = 9;
  const draw = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  for (let round = 0; round < 20_000; round++) {
    const start = draw(2) === 0 ? "https://a.example" : "http://";
    const href = start + Array.from({ length: 1 + draw(6) }, () => pieces[draw(pieces.length)]).join("");
    const { host, path, query, fragment, port } = readWebAddress(href);
    const url = URL.parse(href);
    if (url?.hostname.startsWith("[") || url?.hostname.endsWith(".")) continue;
    expect({ host, path, query, fragment, port }, href).toEqual({
      host: url?.hostname ?? null,
      path: url?.pathname ?? "",
      query: url?.search ?? "",
      fragment: url?.hash ?? "",
      port: url?.port ? Number(url.port) : null,
    });
  }
});

test("the parent domains of each host are listed", () => {
  expect(readWebAddress("https://a.b.example/x").domains).toEqual(["a.b.example", "b.example", "example"]);
  expect(readWebAddress("mailto:a@b.example").domains).toEqual([]);
});
