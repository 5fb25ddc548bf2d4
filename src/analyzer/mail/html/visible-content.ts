// Finds what a reader sees of the tree, and hidden content in it: one walk collects text, links and images.

import { type Cascade, createCascade, type Specified } from "./cascade.ts";
import {
  type ComputedStyle,
  type ComputeStyle,
  contrastIn,
  createStyleComputer,
  type HiddenHow,
  plainStyle,
} from "./computed-style.ts";
import { FeatureNotes, type SeenFeatures } from "./features.ts";
import { blockElements } from "./nesting-table.ts";
import { Prose, seeText } from "./seen-text.ts";
import type { HtmlElement, Tree } from "./tree.ts";

export type TextRun = {
  readonly element: HtmlElement;
  /** With single spaces. */
  readonly text: string;
  /** After white space or a line break. */
  readonly isApart: boolean;
  /** Visible characters: without spaces and invisible ones. */
  readonly chars: number;
  readonly look: ComputedStyle;
  readonly how: HiddenHow | null;
  /** The outermost element that hides it. */
  readonly hider: HtmlElement | null;
  readonly anchor: Anchor | null;
  /** Visible characters before it. */
  readonly position: number;
  /** Position among texts and images. */
  readonly order: number;
};

export type Anchor = {
  readonly element: HtmlElement;
  readonly hider: HtmlElement | null;
  readonly look: ComputedStyle;
  /** Cut at `maxAnchorText`. */
  text: string;
  /** The style of its first text. */
  textLook: ComputedStyle | null;
  isTextHidden: HiddenHow | null;
  readonly images: HtmlElement[];
};

export type Picture = {
  readonly element: HtmlElement;
  readonly hider: HtmlElement | null;
  readonly look: ComputedStyle;
  readonly specified: Specified;
  readonly anchor: Anchor | null;
  /** It replaces a video or an image of another format. */
  readonly isFallback: boolean;
  readonly position: number;
  readonly order: number;
};

type VisibleContent = {
  readonly runs: readonly TextRun[];
  readonly visibleText: string;
  /** Without code and quoted messages. */
  readonly ownText: string;
  readonly visibleChars: number;
  readonly isTextCut: boolean;
  readonly anchors: readonly Anchor[];
  readonly anchorCount: number;
  readonly pictures: readonly Picture[];
  readonly pictureCount: number;
  /** Among all elements except the children of elements that are never shown. */
  readonly widest: { readonly widthPx: number; readonly element: HtmlElement } | null;
  readonly features: SeenFeatures;
};

/** Enough for any real message. More text wouldn't change a verdict. */
const maxTextLength = 200_000;
const maxRuns = 20_000;
const maxAnchors = 2_000;
const maxPictures = 2_000;
const maxAnchorText = 500;

const neverShown = new Set("head title style script template iframe noembed noframes datalist xmp".split(" "));

export type Page = { readonly tree: Tree; readonly cascade: Cascade; readonly sight: VisibleContent };

export function toPage(tree: Tree): Page {
  const cascade = createCascade(tree);
  const walk = new Walk(cascade);
  walk.enter(tree.root, { look: plainStyle, anchor: null, hider: null, isFallback: false });
  return { tree, cascade, sight: walk.toSight() };
}

type Position = {
  readonly look: ComputedStyle;
  readonly anchor: Anchor | null;
  readonly hider: HtmlElement | null;
  readonly isFallback: boolean;
};

class Walk {
  private readonly runs: TextRun[] = [];
  private readonly anchors: Anchor[] = [];
  private readonly pictures: Picture[] = [];
  private anchorCount = 0;
  private pictureCount = 0;
  private readonly visible = new Prose();
  /** Null while it is the same. */
  private own: Prose | null = null;
  private readonly unseen = new Map<ComputedStyle, HiddenHow | null>();
  private visibleChars = 0;
  private isApart = true;
  private isTextCut = false;
  private order = 0;
  private readonly lookOf: ComputeStyle = createStyleComputer();
  private widest: { widthPx: number; element: HtmlElement } | null = null;
  private readonly features = new FeatureNotes();
  private readonly cascade: Cascade;

  constructor(cascade: Cascade) {
    this.cascade = cascade;
  }

  enter(element: HtmlElement, above: Position): void {
    if (neverShown.has(element.name)) return;
    const specified = this.cascade.specify(element);
    const look = this.lookOf(element, above.look, specified);
    const hider = look.hidden === null ? null : above.look.hidden === look.hidden ? above.hider : element;
    const isBlock = blockElements.has(element.name);
    if (isBlock) this.breakLine();
    this.noteWidth(element, look, specified);
    if (look.hidden === null) this.features.note(element, specified);
    const anchor = this.anchorOf(element, look, hider) ?? above.anchor;
    const isFallback =
      above.isFallback || element.name === "video" || element.name === "audio" || element.name === "picture";
    if (element.name === "br") this.breakLine();
    if (element.name === "img")
      this.addPicture({
        element,
        hider,
        look,
        specified,
        anchor,
        isFallback: above.isFallback,
        position: this.visibleChars,
        order: this.order++,
      });
    this.enterChildren(
      element,
      look === above.look && anchor === above.anchor && isFallback === above.isFallback
        ? above
        : { look, anchor, hider, isFallback },
    );
    if (isBlock) this.breakLine();
  }

  toSight(): VisibleContent {
    const visibleText = this.visible.toText();
    return {
      runs: this.runs,
      visibleText,
      ownText: this.own?.toText() ?? visibleText,
      visibleChars: this.visibleChars,
      isTextCut: this.isTextCut,
      anchors: this.anchors,
      anchorCount: this.anchorCount,
      pictures: this.pictures,
      pictureCount: this.pictureCount,
      widest: this.widest,
      features: this.features,
    };
  }

  private enterChildren(element: HtmlElement, place: Position): void {
    for (const child of element.children) {
      if (typeof child === "string") this.readText(child, element, place);
      else this.enter(child, place);
    }
  }

  private readText(raw: string, element: HtmlElement, { look, anchor, hider }: Position): void {
    const { text, chars } = seeText(raw);
    const how = look.hidden ?? (chars > 0 ? this.hiddenBySize(look) : null);
    if (how === null) this.addVisible(text, look, chars);
    const isApart = this.isApart || text.startsWith(" ");
    this.isApart = chars === 0 ? isApart : text.endsWith(" ");
    if (chars === 0) return;
    if (anchor) addToAnchor(anchor, isApart ? ` ${text.trimStart()}` : text, look, how);
    if (this.runs.length >= maxRuns) this.isTextCut = true;
    else
      this.runs.push({
        element,
        text: text.trim(),
        isApart,
        chars,
        look,
        how,
        hider,
        anchor,
        position: this.visibleChars - (how === null ? chars : 0),
        order: this.order++,
      });
  }

  private hiddenBySize(look: ComputedStyle): HiddenHow | null {
    const known = this.unseen.get(look);
    if (known !== undefined) return known;
    const how = howUnseen(look);
    this.unseen.set(look, how);
    return how;
  }

  private addVisible(text: string, look: ComputedStyle, chars: number): void {
    this.visibleChars += chars;
    if (this.visible.length + text.length > maxTextLength) {
      this.isTextCut = true;
      return;
    }
    const isOwn = !look.isCode && !look.isQuoted;
    if (!isOwn) this.own ??= this.visible.copy();
    this.visible.add(text);
    if (isOwn) this.own?.add(text);
  }

  private breakLine(): void {
    this.isApart = true;
    this.visible.breakLine();
    this.own?.breakLine();
  }

  private anchorOf(element: HtmlElement, look: ComputedStyle, hider: HtmlElement | null): Anchor | null {
    if ((element.name !== "a" && element.name !== "area") || !element.attributes.has("href")) return null;
    this.anchorCount++;
    const anchor: Anchor = { element, hider, look, text: "", textLook: null, isTextHidden: null, images: [] };
    if (this.anchors.length < maxAnchors) this.anchors.push(anchor);
    return anchor;
  }

  private addPicture(picture: Picture): void {
    this.pictureCount++;
    picture.anchor?.images.push(picture.element);
    if (this.pictures.length < maxPictures) this.pictures.push(picture);
  }

  private noteWidth(element: HtmlElement, look: ComputedStyle, specified: Specified): void {
    const width = specified.get("width") ?? element.attributes.get("width");
    if (width === undefined || look.hidden !== null) return;
    // A maximum in percent follows the screen; one in pixels only makes the fixed width smaller.
    const widthPx = Math.min(toPx(width), toPx(specified.get("max-width") ?? width));
    if (widthPx > (this.widest?.widthPx ?? 0)) this.widest = { widthPx, element };
  }
}

/** 0 for anything that isn't a number of pixels. */
function toPx(width: string): number {
  return Number(/^\s*(\d{1,6})(?:\.\d{1,9})?\s*(?:px\s*)?$/.exec(width)?.[1] ?? 0);
}

function addToAnchor(anchor: Anchor, text: string, look: ComputedStyle, how: HiddenHow | null): void {
  if (anchor.text.length < maxAnchorText) anchor.text += text.slice(0, maxAnchorText);
  if (anchor.textLook !== null && (anchor.isTextHidden === null || how !== null)) return;
  anchor.textLook = look;
  anchor.isTextHidden = how;
}

/** Below this contrast text counts as invisible. */
const unseenContrast = 1.1;

function howUnseen(look: ComputedStyle): HiddenHow | null {
  if (look.fontPx <= 1) return "font-size";
  return (contrastIn(look) ?? 21) < unseenContrast ? "contrast" : null;
}
