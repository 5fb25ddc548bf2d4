// Lookalike letters from UTS #39 (confusables.txt, Unicode 15): letters allowed in domains that look like ASCII, for
// alphabets similar to Latin. The only uppercase letter is I, whose look is lost in lowercase.

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
  // The standard lists ӏ (U+04CF) under i, but in nearly all fonts it looks like l, as in the аррӏе attack of 2017.
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
  // Not in the standard, which has only single letters: what phishers write for w.
  vv: "wɯѡԝաᴡꮃ",
  x: "х",
  y: "ɣʏγуүყᶌỿꭚ",
  z: "ᴢꮓ",
  "6": "б",
  "8": "ȣ",
};

// More letters that occur in names but not in domains: capitals, small capitals and letters with strokes. From the same
// data, without marks. The last few only look like Latin at a glance and are not in the standard.
// The data is © Unicode, Inc., used under the Unicode License v3 (https://www.unicode.org/license.txt).
export const nameConfusables: Readonly<Record<string, string>> = {
  a: "ΑАᎪᗅꓮẚΛ∆Δ",
  ae: "ÆӔ",
  b: "ƄЬᏏᖯꞴΒВᏴᗷꓐɓƃƂБƀҍҌѣѢвᏼʙ",
  c: "ϲ𐐽ϹⲤСᏟꓚ𐐕ȼҫҪ",
  d: "ᏧᑯꓒᎠᗞᗪꓓɗɖƌđĐÐƉꭰᴅ",
  e: "ΕЕⴹᎬꓰɇɆҿꭼᴇΣЭ∑",
  f: "𝈓ꞘϜᖴꓝƒƑᵮꜰ",
  g: "ԌᏀᏳꓖᶢɠǥǤԍꮐᏻɢ",
  h: "ᏂΗⲎНᎻᕼꓧᵸɦꚕᏲⱧҢħћĦӉӇнꮋңӊӈʜ",
  i: "ιᎥɨᵻᵼ",
  j: "ꞲͿЈᎫᒍꓙɉɈꭻᴊ",
  k: "ΚⲔКᏦꓗƙⱩҚꝀҞᴋκϰⲕкꮶқҟĸ",
  l: "ⲒⳐᏞᒪꓡ𐐛łŁɭƗƚɫⳑꮮ𐑃ʟ",
  m: "ΜϺⲘМᎷᗰꓟӍᴍ",
  n: "ΝⲚꓠ𐆎ɳƞηƝᵰɴИи",
  o: "𐐬ΟⲞОՕⵔꓳ𐐄øꬾØⵁǾɵꝋөѳꮎꮻ𝈚ƟꝊθϑΘϴӨѲⴱᎾᏫꭴ",
  oe: "Œɶ",
  oo: "ꝎꚘ",
  p: "ϱΡⲢРᏢᑭꓑƥᵽᴩꮲᴘ",
  q: "ⵕʠ",
  r: "𝈖ƦᎡᏒᖇꓣɽɼɍғᵲꭱꮢʀЯя",
  rn: "ɱᵯ",
  s: "𐑈ЅՏᏕᏚꓢ𐐠ʂᵴ",
  t: "ΤⲦТᎢꓔƭȾƮҬŧŦᵵτтꭲҭᴛ",
  u: "ՍᑌꓴᵾꮜɄᏌ",
  v: "𝈍ѴⴸᏙᐯꓦ",
  w: "ԜᎳᏔꓪѽꝡШшЩщ",
  x: "᙮ᕁᕽ᙭ꞳΧⲬХⵝꓫҲ",
  y: "ΥϒⲨУҮᎩᎽꓬƴɏұɎҰ",
  z: "ΖᏃꓜʐƶƵȥȤᵶ",
};

/** Letters that look like I, i or l. */
export const strokes = "I1!|ΙІӀⵏꓲ𝈪Ɩǀ";

/** Digits and symbols that replace letters to disguise a word. */
export const leet: Readonly<Record<string, string>> = {
  a: "4@",
  b: "8",
  c: "¢",
  e: "3€",
  g: "9",
  l: "£",
  s: "5$",
  t: "7",
};
