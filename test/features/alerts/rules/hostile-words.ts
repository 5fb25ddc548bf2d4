// What somebody writes into a subject, a sender, a diagnostic or a record to reach the people who read the alerts.

import type { Dice } from "../../../../scripts/dice.ts";

const attacks = [
  ...["<!channel>", "<!here>", "<!everyone>", "<!subteam^S123>", "<@U012AB3CD>", "<#C012|general>"],
  ...["<!date^1392734382^{date}^https://evil.example|x>", "<https://evil.example|Open in Assay>", "&lt;!channel&gt;"],
  ...["@everyone", "@here", "<@123456789012345678>", "<@&1>", "<#1>", "<t:1618953630:R>", "<:a:1>", "</cmd:1>"],
  ...["https://evil.example/login", "http://evil.example", "[Open in Assay](https://evil.example)", "mailto:x@y"],
  ...["*bold*", "_it_", "~~no~~", "||spoiler||", "```code```", "`", "``", "# head", "> quote", "-# sub", "- item"],
  ...["\\", "\\`", "\\@everyone", "\\\\[a](b)", ":skull:", "javascript:alert(1)", "<script>"],
  ...["\u202e", "\u2066", "\u200b", "\u0000", "\u001b[31m", "\r\n", "\n\n", "\u2028", "\u0085", "\ufeff"],
  ...["\ud83d", "\udc00", "\u{e0041}", "\u3164", "e\u0301\u0301\u0301\u0301\u0301\u0301", "❤\ufe0f", "😀", "字"],
  ..."<>&@|`*_\\ :/#[](){}'\"",
];

export function hostileText(dice: Dice): string {
  const pick = (list: readonly string[]) => list[dice(list.length)] ?? "";
  const parts = Array.from({ length: dice(12) }, () => pick(attacks).repeat(1 + dice(3)));
  const text = parts.join(pick(["", " ", "\n"]));
  return dice(4) === 0 ? text.repeat(1 + dice(400)) : text;
}
