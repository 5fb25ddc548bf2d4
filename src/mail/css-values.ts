// The few values of CSS that decide whether text can be seen: colours, lengths, contrast.

import { colorNames } from "./css-color-table.ts";

/** Red, green, blue 0–255, and opacity 0–1. */
export type Color = { readonly r: number; readonly g: number; readonly b: number; readonly a: number };

export const black: Color = { r: 0, g: 0, b: 0, a: 1 };
export const white: Color = { r: 255, g: 255, b: 255, a: 1 };

/** Null for what is no colour, or one that only the reader's program knows. */
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
  const part = (text: string) =>
    clamp(text.endsWith("%") ? (Number.parseFloat(text) * 255) / 100 : Number(text), 255);
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

/** `top` as it is seen upon `bottom`. */
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
  const linear = (part: number) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
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

/** In pixels; null for what depends on more than we know. */
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

/** Null for what is no size. */
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
