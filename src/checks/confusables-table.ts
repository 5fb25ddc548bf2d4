// Letters that look like others: UTS #39 (confusables.txt, Unicode 15) as far as it leads from a letter that a domain
// may hold to ASCII, for the alphabets that look like Latin. Of upper case only I, which no fold to lower case keeps.

export const confusables: Readonly<Record<string, string>> = {
  a: "ɑαа",
  ae: "æӕ",
  c: "сᴄⲥꮯ",
  d: "ԁ",
  e: "еҽꬲ",
  f: "քẝꞙꬵ",
  g: "ƍɡցᶃ",
  h: "һհ",
  i: "ıɩɪιіꙇꭵ",
  j: "ϳј",
  // The standard has ӏ (U+04CF) under i, but in nearly all fonts it is an upright stroke: the аррӏе of 2017.
  l: "1Iǀןӏ",
  n: "ոռ",
  o: "0οσоօჿᴏᴑⲟꬽ০੦૦๐໐〇",
  oe: "œ",
  oo: "ꝏꚙ",
  p: "ρрⲣ",
  q: "ԛգզ",
  r: "гᴦⲅꭇꭈꮁ",
  rn: "m",
  s: "ƽѕꜱꮪ",
  u: "ʋυսᴜꞟꭎꭒ",
  v: "νѵᴠꮩ",
  // Not of the standard, whose sources are single letters: what forgers write for w.
  vv: "wɯѡԝաᴡꮃ",
  x: "х",
  y: "ɣʏγуүყᶌỿꭚ",
  z: "ᴢꮓ",
  "6": "б",
  "8": "ȣ",
};
