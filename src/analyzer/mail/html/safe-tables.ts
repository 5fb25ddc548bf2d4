// The allowlists of the sanitized view. Everything else is left out, because a blocklist would miss what browsers learn
// next.

const set = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/));

export const safeElements = set(
  "a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr",
);

/** Dropped with all their content. Other unknown elements keep their content. */
export const droppedElements = set(
  "applet audio base basefont bgsound canvas command datalist dialog embed frame frameset head iframe input keygen link math meta noembed noframes object option param plaintext script select source style svg template textarea title track xmp xml",
);

const color = /^#?\w{1,30}$/;
const length = /^\d{1,5}(?:\.\d{1,3})?(?:px|%)?$/;
const number = /^-?\d{1,5}$/;
const word = /^[a-z]{1,20}$/i;
const anything = /^/;

/** Maps an attribute to a pattern for its value. Addresses, styles, classes and ids are handled separately. */
export const safeAttributes: ReadonlyMap<string, RegExp> = new Map([
  ["align", word],
  ["alt", anything],
  ["aria-hidden", word],
  ["aria-label", anything],
  ["bgcolor", color],
  ["border", number],
  ["bordercolor", color],
  ["cellpadding", number],
  ["cellspacing", number],
  ["color", color],
  ["colspan", /^\d{1,3}$/],
  ["dir", word],
  ["face", /^[\w\s,-]{1,200}$/],
  ["height", length],
  ["hspace", number],
  ["lang", /^[a-z0-9-]{1,35}$/i],
  ["nowrap", /^(?:nowrap)?$/i],
  ["role", word],
  ["rowspan", /^\d{1,3}$/],
  ["scope", word],
  ["size", /^[+-]?\d{1,3}$/],
  ["span", /^\d{1,3}$/],
  ["start", number],
  ["title", anything],
  ["type", /^[1aAiI]$|^(?:disc|circle|square)$/],
  ["valign", word],
  ["value", number],
  ["vspace", number],
  ["width", length],
]);

export const safeProperties = set(
  `
  align-content align-items align-self background background-clip background-color background-image background-origin
  background-position background-repeat background-size border border-bottom border-bottom-color
  border-bottom-left-radius border-bottom-right-radius border-bottom-style border-bottom-width border-collapse
  border-color border-left border-left-color border-left-style border-left-width border-radius border-right
  border-right-color border-right-style border-right-width border-spacing border-style border-top border-top-color
  border-top-left-radius border-top-right-radius border-top-style border-top-width border-width bottom box-shadow
  box-sizing caption-side clear color column-gap direction display empty-cells flex flex-basis flex-direction flex-flow
  flex-grow flex-shrink flex-wrap float font font-family font-size font-style font-variant font-weight gap
  grid-template-columns height justify-content left letter-spacing line-height list-style list-style-position
  list-style-type margin margin-bottom margin-left margin-right margin-top max-height max-width min-height min-width
  object-fit opacity order outline outline-color outline-style outline-width overflow overflow-wrap overflow-x
  overflow-y padding padding-bottom padding-left padding-right padding-top position right row-gap table-layout text-align
  text-decoration text-decoration-color text-decoration-line text-indent text-overflow text-shadow text-transform top
  unicode-bidi vertical-align visibility white-space width word-break word-spacing word-wrap`.trim(),
);

export const safeFunctions = set(
  "rgb rgba hsl hsla calc min max clamp linear-gradient radial-gradient repeating-linear-gradient repeating-radial-gradient",
);

export const safePseudos =
  /^:(?:hover|focus|active|visited|link|first-child|last-child|first-of-type|last-of-type|nth-(?:child|of-type)\((?:odd|even|[\dn+\s-]{1,10})\))$/;

/** Image types that can't contain scripts or documents. */
export const safePictureTypes = set(
  "image/png image/jpeg image/jpg image/gif image/webp image/bmp image/avif image/x-icon",
);
