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

// What a name may hold beside that: capitals, small capitals and struck letters, which no domain keeps. From the same
// data, with marks left off; the last few are letters that only pass for Latin in a hurry, and are not in the standard.
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

/** An upright stroke, which is read as I, i or l. */
export const strokes = "I1!|ΙІӀⵏꓲ𝈪Ɩǀ";

/** What stands for a letter in the writing of those who hide a word. */
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
