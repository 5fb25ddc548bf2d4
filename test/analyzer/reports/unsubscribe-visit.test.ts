import { describe, expect, test } from "vitest";
import { judgeVisit } from "../../../src/analyzer/reports/unsubscribe-visit.ts";

function resultOf(body: string, type = "text/html; charset=utf-8", status = 200): string {
  return judgeVisit({ ok: true, status, headers: { "content-type": type }, body: Buffer.from(body) }).result;
}

const button = (words: string) => `<form method="post" action="/u"><button>${words}</button></form>`;

describe("what an opened unsubscribe link shows", () => {
  test.each([
    ["a button to unsubscribe", button("Unsubscribe")],
    ["a button in German", `<h1>Newsletter</h1>${button("Jetzt abmelden")}`],
    ["a question with a button in French", `<p>Voulez-vous vous désabonner&nbsp;?</p>${button("Oui")}`],
    ["a question with a button in Japanese", `<p>配信停止しますか</p>${button("はい")}`],
    ["an input to send", `<p>Unsubscribe?</p><form><input type="submit" value="Confirm"></form>`],
    ["a message about done that is hidden", `<p hidden>You have been unsubscribed</p>${button("Unsubscribe")}`],
  ])("%s only showed a page", (_, body) => expect(resultOf(body)).toBe("page"));

  test.each([
    ["a sentence", "<p>You’ve been <b>unsubscribed</b> from our list.</p>"],
    ["a title alone", "<title>Unsubscribed</title><h1>Bye</h1>"],
    ["plain text", "Unsubscribed.", "text/plain"],
    ["German", "<p>Sie wurden\n abgemeldet.</p>"],
    ["French", "<p>Vous &ecirc;tes désormais désabonné(e).</p>"],
    ["Spanish", "<p>Te has dado de baja.</p>"],
    ["Japanese", "<p>メールの配信を停止しました。</p>"],
    ["Russian", "<p>Вы успешно отписались</p>"],
    ["Chinese", "<p>您已成功退订</p>"],
    [
      "a footer with another form",
      `<p>You are now unsubscribed.</p><form><input name=q><button>Search</button></form>`,
    ],
  ])("a completed unsubscribe is recognized by %s", (_, body, type?) =>
    expect(resultOf(body, type)).toBe("unsubscribed"),
  );

  test.each([
    ["an empty response", ""],
    ["words without a form", "<p>Unsubscribe</p><a href=/yes>Yes</a>"],
    ["a form about something else", `<p>Unsubscribe</p><form><input name=q><button>Search</button></form>`],
    ["done and a form that asks", `<p>You have been unsubscribed.</p>${button("Unsubscribe from all")}`],
    ["a way back", `<p>Unsubscribe</p>${button("Yes, resubscribe")}`],
    ["a question after the fact", `<p>Why did you unsubscribe?</p>${button("OK")}`],
    ["a script that sends the form", `${button("Unsubscribe")}<script>document.forms[0].submit()</script>`],
    ["a refresh", `<meta http-equiv="refresh" content="0;url=/done">${button("Unsubscribe")}`],
    ["a login", `<p>Unsubscribe</p><form><input type="password"><button>Unsubscribe</button></form>`],
    ["a page that is too large", `${button("Unsubscribe")}${" ".repeat(262_144)}`],
    ["an announcement", "<p>If you confirm, you will be unsubscribed.</p>"],
    ["plain text with tags", button("Unsubscribe"), "text/plain"],
    ["a missing page", button("Unsubscribe"), "text/html", 404],
    ["a denied page", "You have been unsubscribed", "text/html", 403],
  ])("%s is unclear, and never a pass", (_, body, type?, status?) =>
    expect(resultOf(body, type, status)).toBe("unclear"),
  );

  test("a failure after a redirect is unclear, because the first server may have acted", () => {
    const failure = { ok: false, failure: "refused_address", problem: "No." } as const;
    expect(judgeVisit(failure).result).toBe("refused");
    expect(judgeVisit({ ...failure, redirectedTo: "https://in.example/" }).result).toBe("unclear");
    expect(judgeVisit({ ok: false, failure: "timeout", problem: "Late." }).result).toBe("unreachable");
  });

  test("a hostile page of thousands of buttons is read", () => {
    expect(resultOf(button("yes").repeat(4_000))).toBe("unclear");
    expect(resultOf("!".repeat(200_000))).toBe("unclear");
  });
});
