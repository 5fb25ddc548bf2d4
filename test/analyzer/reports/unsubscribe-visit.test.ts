import { describe, expect, test } from "vitest";
import { judgeVisit } from "../../../src/analyzer/reports/unsubscribe-visit.ts";

function judge(body: string | Uint8Array, headers: Record<string, string> = {}, status = 200) {
  const all = { "content-type": "text/html; charset=utf-8", ...headers };
  return judgeVisit({ ok: true, status, headers: all, body: Buffer.from(body) });
}

function resultOf(body: string | Uint8Array, type = "text/html; charset=utf-8", status = 200): string {
  return judge(body, { "content-type": type }, status).result;
}

const button = (words: string) => `<form method="post" action="/u"><button>${words}</button></form>`;

describe("what an opened unsubscribe link shows", () => {
  test.each([
    ["a button to unsubscribe", button("Unsubscribe")],
    ["a button in German", `<h1>Newsletter</h1>${button("Jetzt abmelden")}`],
    ["a question with a button in French", `<p>Voulez-vous vous désabonner&nbsp;?</p>${button("Oui")}`],
    ["a question with a button in Japanese", `<p>配信停止しますか</p>${button("はい")}`],
    ["an instruction", `<h1>Our news</h1><p>Click the button to unsubscribe.</p>${button("Yes, unsubscribe me")}`],
    ["a question with a way back", `<p>Unsubscribe from our news?</p>${button("Unsubscribe")}${button("Cancel")}`],
    ["a button with a name for screen readers", `<form><button aria-label="Unsubscribe"><svg/></button></form>`],
    ["a button outside its form", `<form id=u method=post></form><button form=u>Unsubscribe</button>`],
    ["Windows-1252", Buffer.from(button("Se d\xe9sabonner"), "latin1"), "text/html; charset=iso-8859-1"],
    ["UTF-16", Buffer.from(button("Unsubscribe"), "utf16le"), "text/html; charset=utf-16"],
    ["data for search engines", `${button("Unsubscribe")}<script type="application/ld+json">{}</script>`],
    ["an input to send", `<p>Unsubscribe?</p><form><input type="submit" value="Confirm"></form>`],
    ["a message about done that is hidden", `<p hidden>You have been unsubscribed</p>${button("Unsubscribe")}`],
  ])("%s only showed a page", (_, body, type?) => expect(resultOf(body, type)).toBe("page"));

  test.each([
    ["a sentence", "<p>You’ve been <b>unsubscribed</b> from our list.</p>"],
    ["a title alone", "<title>Unsubscribed</title><h1>Bye</h1>"],
    ["plain text", "Unsubscribed.", "text/plain"],
    ["German", "<p>Sie wurden vom\n Newsletter abgemeldet.</p>"],
    ["French", "<p>Vous &ecirc;tes désormais désabonné(e).</p>"],
    ["Spanish", "<p>Te has dado de baja.</p>"],
    ["Japanese", "<p>メールの配信を停止しました。</p>"],
    ["Russian", "<p>Вы успешно отписались</p>"],
    ["Chinese", "<p>您已成功退订</p>"],
    ["Latin-1", Buffer.from("<p>Vous avez \xe9t\xe9 d\xe9sabonn\xe9e.</p>", "latin1"), "text/html; charset=iso-8859-1"],
    ["the address", "<p>you@example.com has been unsubscribed.</p>"],
    ["a sentence after another", "<p>Success! You have been unsubscribed.</p>"],
    ["a way to other settings", "<p>You have been unsubscribed.</p><a href=/all>Manage your preferences</a>"],
    ["a way back", `<p>You have been unsubscribed.</p>${button("Resubscribe")}`],
    [
      "a footer with another form",
      `<p>You are now unsubscribed.</p><form><input name=q><button>Search</button></form>`,
    ],
  ])("a completed unsubscribe is recognized by %s", (_, body, type?) =>
    expect(resultOf(body, type)).toBe("unsubscribed"),
  );

  test.each([
    ["You will no longer receive emails from Weekly.", "Unsubscribe from all lists"],
    ["Your subscription has been cancelled.", "Unsubscribe from all"],
    ["Your subscription has been cancelled.", "Unsubscribe"],
    ["Your address was unsubscribed.", "Unsubscribe"],
    ["You’re off the list.", "Undo unsubscribe"],
    ["You’re off the list. Did you unsubscribe by mistake?", "Yes"],
    ["You’ve left Weekly. Do you want to unsubscribe from all others?", "Yes"],
    ["Your preferences have been updated.", "Manage preferences"],
    ["Tell us why you chose to unsubscribe.", "OK"],
    ["Sie erhalten keine weiteren E-Mails.", "Abmeldung rückgängig machen"],
    ["Ihre Abmeldung wurde durchgeführt.", "Abmelden"],
    ["Votre désinscription est effective.", "Se désinscrire de toutes les listes"],
    ["配信停止の手続きが完了しました。", "すべて配信停止"],
    ["退订已完成。", "退订"],
    ["Вы больше не будете получать письма.", "Отписаться от всех"],
    ["Sign up. You can unsubscribe anytime.", "Confirm subscription"],
    ["Page not found. Unsubscribe in your account.", "OK"],
    ["Are you sure that you want to leave?", "Yes, I’m sure"],
    ["Unsubscribe you@example.com?", "Continue"],
  ])("a page is not known to only ask: %s", (text, words) => {
    const { result, says } = judge(`<p>${text}</p>${button(words)}`);
    expect(result).toBe("unclear");
    expect(says).toContain(`The page has a form with “${words}”`);
  });

  test.each([
    ["<script>$.post('/u')</script>", "a script"],
    ["<script src=/auto.js></script>", "a script"],
    ["<body onload='document.forms[0].sub&#109;it()'>", "a script"],
    ["<meta http-equiv=refresh content='0;url=/done'>", "a refresh"],
    ["<iframe src=/done></iframe>", "a frame"],
    ["<img src='/unsubscribe/do?id=1'>", "a file that loads from an unsubscribe address"],
  ])("%s may act without a click", (html, what) => {
    const { result, says } = judge(`${html}${button("Unsubscribe")}`);
    expect(result).toBe("unclear");
    expect(says).toContain(`a form that asks for confirmation, but also ${what}, which may act without a click`);
  });

  test("a header may act without a click", () => {
    const { result, says } = judge(button("Unsubscribe"), { refresh: "0;url=/unsubscribe/do" });
    expect([result, says]).toEqual(["unclear", expect.stringContaining("but also a refresh")]);
  });

  const scripted = "<button onclick=go()>Unsubscribe</button><script src=/go.js></script>";

  test.each([
    ["a denial", "<p>The address was not found, nobody has been unsubscribed.</p>"],
    ["a denial with an address", "<p>Nobody, not even you@example.com has been unsubscribed.</p>"],
    ["a condition", `<p>If you have been unsubscribed by mistake, contact us.</p>${scripted}`],
    ["an announcement", "<p>Once you click the link, you have been unsubscribed.</p>"],
    ["a question", "<p>You have been unsubscribed by mistake?</p>"],
    ["words that a class hides", `<p class=hidden>You have been unsubscribed.</p>${scripted}`],
    [
      "words that a class hides, with a link",
      `<p class=d-none>You have been unsubscribed.</p><a href=/do>Unsubscribe</a>`,
    ],
    [
      "words for later, with an unknown button",
      `<p class=x>You have been unsubscribed.</p><a href=#>Los</a><script></script>`,
    ],
    ["a closed dialog", `<dialog>You have been unsubscribed.</dialog>${scripted}`],
    ["the state of another list", "<h1>Lists</h1><table><tr><td>Offers<td>Unsubscribed</table>"],
    ["the end of a login", "<p>Sie wurden abgemeldet.</p><a href=/login>Zum Login</a>"],
  ])("%s isn't a completed unsubscribe", (_, body) => expect(resultOf(body)).toBe("unclear"));

  test("a response that can't be read is not judged", () => {
    const sent = "<p>You have been unsubscribed.</p>";
    const compressed = judge(sent, { "content-encoding": "gzip" });
    expect([compressed.result, compressed.says]).toEqual(["unclear", expect.stringContaining("is compressed")]);
    const garbled = judge(Buffer.from("<p>D\xe9sol\xe9</p>", "latin1"));
    expect([garbled.result, garbled.says]).toEqual(["unclear", expect.stringContaining("its character set")]);
  });

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
