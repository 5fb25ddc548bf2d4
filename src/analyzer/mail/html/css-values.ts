// The CSS values that decide whether text is visible: colors, lengths, contrast.

/** Red, green, blue 0–255, and opacity 0–1. */
export type Color = { readonly r: number; readonly g: number; readonly b: number; readonly a: number };

export const black: Color = { r: 0, g: 0, b: 0, a: 1 };
export const white: Color = { r: 255, g: 255, b: 255, a: 1 };

/** Null for anything but a color, and for colors that only the email client knows. */
export function parseColor(text: string): Color | null {
  const value = text.trim().toLowerCase();
  if (value === "transparent") return { r: 0, g: 0, b: 0, a: 0 };
  const hex = /^#([0-9a-f]{3,8})$/.exec(value)?.[1] ?? colorNames.get(value);
  if (hex !== undefined) return parseHex(hex);
  const call = /^(rgb|hsl)a?\(([^()]{1,80})\)$/.exec(value);
  if (!call) return null;
  const parts = (call[2] ?? "").split(/[\s,/]+/).filter((part) => part !== "");
  if (parts.length < 3 || parts.length > 4) return null;
  const color = call[1] === "rgb" ? fromRgb(parts) : fromHsl(parts);
  return Number.isNaN(color.r + color.g + color.b + color.a) ? null : color;
}

/** Attributes such as bgcolor also take six digits without the sign. */
export function parseAttributeColor(text: string): Color | null {
  return parseColor(/^[0-9a-f]{6}$/i.test(text.trim()) ? `#${text.trim()}` : text);
}

export function toHex({ r, g, b }: Color): string {
  return `#${[r, g, b].map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

function parseHex(hex: string): Color | null {
  const digits = hex.length < 6 ? [...hex].map((digit) => digit + digit).join("") : hex;
  if (digits.length !== 6 && digits.length !== 8) return null;
  const part = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16);
  return { r: part(0), g: part(2), b: part(4), a: digits.length === 8 ? part(6) / 255 : 1 };
}

function fromRgb([r = "", g = "", b = "", a = "1"]: readonly string[]): Color {
  const part = (text: string) => clamp(text.endsWith("%") ? (Number.parseFloat(text) * 255) / 100 : Number(text), 255);
  return { r: part(r), g: part(g), b: part(b), a: parseShare(a) };
}

function fromHsl([hue = "", saturation = "", lightness = "", a = "1"]: readonly string[]): Color {
  const turn = ((Number.parseFloat(hue) % 360) + 360) % 360;
  const s = clamp(Number.parseFloat(saturation) / 100, 1);
  const l = clamp(Number.parseFloat(lightness) / 100, 1);
  const part = (offset: number) => {
    const k = (offset + turn / 30) % 12;
    return 255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return { r: part(0), g: part(8), b: part(4), a: parseShare(a) };
}

export function parseShare(text: string): number {
  return clamp(text.endsWith("%") ? Number.parseFloat(text) / 100 : Number(text), 1);
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}

/** `top` as it looks over `bottom`. */
export function blend(top: Color, bottom: Color): Color {
  if (top.a >= 1) return top;
  const mix = (above: number, below: number) => above * top.a + below * (1 - top.a);
  return { r: mix(top.r, bottom.r), g: mix(top.g, bottom.g), b: mix(top.b, bottom.b), a: 1 };
}

/** WCAG 2.2, contrast ratio: 1 to 21. */
export function contrastOf(one: Color, other: Color): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance({ r, g, b }: Color): number {
  return 0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b);
}

/** The light of a part of a color, 0 to 1 (sRGB). */
export function toLinear(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** The part of a color with that light, within what a screen shows. */
export function toPart(light: number): number {
  return 255 * clamp(light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055, 1);
}

const pixels: Readonly<Record<string, number>> = {
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  rem: 16,
};

/** In pixels. Null if it depends on more than we know. */
export function parseLength(text: string, emPx: number, percentOfPx: number | null = null): number | null {
  if (text === "") return null;
  const match = /^([+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}))([a-z%]{0,4})$/.exec(text.trim().toLowerCase());
  if (!match) return null;
  const amount = Number(match[1]);
  const unit = match[2] ?? "";
  if (amount === 0 || unit === "") return amount;
  if (unit === "em") return amount * emPx;
  if (unit === "%") return percentOfPx === null ? null : (amount / 100) * percentOfPx;
  const factor = pixels[unit];
  return factor === undefined ? null : amount * factor;
}

const sizeNames: ReadonlyMap<string, number> = new Map([
  ["xx-small", 9],
  ["x-small", 10],
  ["small", 13],
  ["medium", 16],
  ["large", 18],
  ["x-large", 24],
  ["xx-large", 32],
  ["xxx-large", 48],
]);

/** Null if it isn't a size. */
export function parseFontSize(text: string, parentPx: number): number | null {
  const value = text.trim().toLowerCase();
  if (value === "smaller") return parentPx / 1.2;
  if (value === "larger") return parentPx * 1.2;
  return sizeNames.get(value) ?? parseLength(value, parentPx, parentPx);
}

/** `<font size>`: 1 to 7, or a step from 3. */
export function parseFontAttribute(text: string): number | null {
  const match = /^\s*([+-]?)(\d)/.exec(text);
  if (!match) return null;
  const step = Number(match[2]);
  const size = match[1] === "" ? step : 3 + (match[1] === "-" ? -step : step);
  return [10, 10, 13, 16, 18, 24, 32, 48][Math.min(Math.max(size, 1), 7)] ?? null;
}

// CSS Color Level 4 §6.1: the named colors, each with its six digits.

const rows = `
  aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque
  ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887
  cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc
  crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen
  006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00
  darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray
  2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff
  dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22
  fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000
  greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0
  khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6
  lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90
  lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa
  lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00
  limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd
  mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen
  00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 mintcream f5fffa mistyrose
  ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange
  ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee
  palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue
  b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513
  salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue
  87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4
  tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white
  ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32
`;

const colorNames: ReadonlyMap<string, string> = new Map(
  [...rows.matchAll(/\b([a-z]+)\s+([0-9a-f]{6})/g)].map(([, name = "", hex = ""]) => [name, hex]),
);
