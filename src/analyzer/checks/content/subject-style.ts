import { defineCheck, passed } from "../check.ts";
import { shown } from "./shown.ts";

/** Longer subjects are rejected anyway. */
const maxRead = 1_000;
const maxShownChars = 70;
const maxOnPhones = 40;
const emoji =
  /(?:\p{RI}\p{RI}|\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f)(?:\p{EMod}|\ufe0f|\u200d\p{Extended_Pictographic}){0,10}/gu;
/** Check marks and dots that look like an email client's badge for verified senders. */
const badge = /^[✅✔☑✓🔵🟢]/u;

export const subjectStyle = defineCheck({
  id: "subject-style",
  helpPage: "fix-wording",
  label: "Subject style",
  owner: "content",
  asks: "whether the subject is plain and short",
  why: "Capitals, repeated punctuation, and symbols are weak signs of spam to filters and recipients.",
  refs: ["public filter rules", "Gmail sender rules"],
  needs: ["message"],
  kinds: ["bulk", "transactional"],
  passes: "The subject has normal capitals and punctuation, and {devices} show it in full.",
  findings: {
    capitals: {
      severity: "minor",
      cost: 3,
      title: "Subject in capitals",
      says: 'The subject is mostly in capitals: "{subject}".',
      fix: "Use normal capitalization.",
    },
    punctuation: {
      severity: "minor",
      cost: 3,
      title: "Too much subject punctuation",
      says: "The subject has {marks}.",
      fix: "Use at most one exclamation or question mark.",
    },
    address: {
      severity: "minor",
      cost: 8,
      title: "Link in subject",
      says: "The subject contains {url}.",
      fix: "Move the link into the body.",
    },
    symbols: {
      severity: "minor",
      cost: 3,
      title: "Too many subject symbols",
      says: "The subject has {symbols}.",
      fix: "Use at most two emoji, and none that looks like a badge for verified senders.",
    },
    truncated: {
      severity: "info",
      title: "Long subject",
      says: "The subject is {length} characters long. Phones show about 40 characters, and desktops show about 70.",
      fix: "Put the most important words first.",
      why: "Email clients cut off the end of a long subject.",
    },
    test: {
      severity: "info",
      title: "Subject of a test",
      says: 'The subject "{subject}" says that this is a test. That is fine while you test.',
      fix: "Change it before you send the message to recipients.",
    },
  },
  run({ message: { subject: whole } }) {
    const subject = (whole ?? "").slice(0, maxRead).trim();
    if (subject === "") return { notApplicable: "The message has no subject." };
    const { length } = [...subject];
    const marks = marksIn(subject);
    const symbols = symbolsIn(subject);
    const url = /\b(?:https?:\/\/|www\.)[^\s<>"]{1,200}/i.exec(subject)?.[0];
    const raised = [
      ...(isShouted(subject) ? [{ finding: "capitals" as const, data: { subject: shown(subject) } }] : []),
      ...(marks === null ? [] : [{ finding: "punctuation" as const, data: { marks } }]),
      ...(url === undefined ? [] : [{ finding: "address" as const, data: { url: shown(url) } }]),
      ...(symbols === null ? [] : [{ finding: "symbols" as const, data: { symbols } }]),
      ...(length > maxShownChars ? [{ finding: "truncated" as const, data: { length } }] : []),
      ...(isTest(subject.toLowerCase()) ? [{ finding: "test" as const, data: { subject: shown(subject) } }] : []),
    ];
    return raised.length > 0 ? raised : passed({ devices: length > maxOnPhones ? "desktops" : "phones" });
  },
});

/** Needs more than ten letters, because "NASA UPDATE" has ten. Only letters with two cases count. */
function isShouted(subject: string): boolean {
  const capitals = subject.match(/\p{Lu}/gu)?.length ?? 0;
  const small = subject.match(/\p{Ll}/gu)?.length ?? 0;
  return capitals + small > 10 && capitals > 0.8 * (capitals + small);
}

function marksIn(subject: string): string | null {
  const [repeated] = /[!！]{2,20}|[?？]{2,20}|\${2,20}/.exec(subject) ?? [];
  if (repeated !== undefined) return `"${repeated}"`;
  const count = subject.match(/[!！]/g)?.length ?? 0;
  return count > 2 ? `${count} exclamation marks` : null;
}

function symbolsIn(subject: string): string | null {
  const [first] = badge.exec(subject) ?? [];
  if (first !== undefined) return `${first} at the start, which looks like a badge for verified senders`;
  const count = subject.match(emoji)?.length ?? 0;
  return count > 2 ? `${count} emoji` : null;
}

const testWords = new Set(
  "test tests testing testmail testnachricht prueba pruebas prova teste essai próba zkouška тест проверка δοκιμή deneme اختبار テスト 测试 測試 테스트".split(
    " ",
  ),
);
/** What goes with it in a subject that says nothing else. */
const company =
  /^(?:an?|is|this|just|my|the|mails?|email|message|newsletter|ignore|please|nur|ein|eine|das|ist|un|una|de|correo|письмо)$/;

/** "[Test] May news" or "Test email 2". "Test: 12 phones" is a review. */
function isTest(subject: string): boolean {
  const bracketed = /^[\s\p{So}]{0,5}[[(【<]\s?([^\])】>\s]{2,20})\s?[\])】>]/u.exec(subject)?.[1] ?? "";
  const words = subject.replace("e-mail", "email").match(/[\p{L}\p{M}]{1,30}/gu) ?? [];
  const isOnly = words.every((word) => testWords.has(word) || company.test(word));
  return testWords.has(bracketed) || (isOnly && words.some((word) => testWords.has(word)));
}
