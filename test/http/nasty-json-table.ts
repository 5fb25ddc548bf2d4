// Texts that parsers of JSON disagree about, and some that they fall over. Bytes as latin1, so that any can stand here.

export type NastyJson = {
  readonly what: string;
  readonly bytes: Buffer;
  /** RFC 8259 leaves no doubt: this is no JSON text, or holds what we keep nowhere. */
  readonly refused: boolean;
};

const utf8 = (text: string) => Buffer.from(text).toString("latin1");
const deep = (open: string, close: string, times: number) => `${open.repeat(times)}1${close.repeat(times)}`;

const noJson: Readonly<Record<string, string>> = {
  "one space": " ",
  "a NUL": "\0",
  "a byte order mark alone": "\xef\xbb\xbf",
  "UTF-16 with a byte order mark": "\xff\xfe{\0}\0",
  "UTF-16 without one": "{\0}\0",
  "UTF-32": "{\0\0\0}\0\0\0",
  "an open object": "{",
  "an open array": "[",
  "an open text": '{"name":"x',
  "a text that ends in an escape": '{"name":"x\\',
  "two values": "{}{}",
  "a value and rubbish": "{}x",
  "a comma at the end": '{"name":"x",}',
  "a comma at the beginning": '{,"name":"x"}',
  "two commas": '{"name":"x",,"b":1}',
  "no comma": '{"a":1 "b":2}',
  "no colon": '{"a" 1}',
  "two colons": '{"a"::1}',
  "no value": '{"a":}',
  "no key": "{:1}",
  "a key without quotation marks": "{name:1}",
  "single quotation marks": "{'name':'x'}",
  "a number as a key": '{1:"x"}',
  "a comment": '{"name":"x"/* a */}',
  "a line comment": '{"name":"x"}// a',
  "a number with a plus sign": '{"a":+1}',
  "a number with a leading zero": '{"a":01}',
  "a number that ends in a point": '{"a":1.}',
  "a number that begins with a point": '{"a":.5}',
  "a minus sign alone": '{"a":-}',
  "an exponent without digits": '{"a":1e}',
  "a hexadecimal number": '{"a":0x1}',
  "an octal number": '{"a":0o7}',
  "a big integer": '{"a":1n}',
  "a number with underscores": '{"a":1_000}',
  "full-width digits": utf8('{"a":１}'),
  NaN: '{"a":NaN}',
  Infinity: '{"a":Infinity}',
  "minus Infinity": '{"a":-Infinity}',
  undefined: '{"a":undefined}',
  "True with a capital": '{"a":True}',
  "nul without its end": '{"a":nul}',
  "a line end in a text": '{"name":"a\nb"}',
  "a tab in a text": '{"name":"a\tb"}',
  "a control character in a text": '{"name":"a\x1fb"}',
  "an unknown escape": '{"name":"\\x41"}',
  "an escape of three digits": '{"name":"\\u00A"}',
  "a form feed between tokens": "{\f}",
  "a no-break space between tokens": utf8("{\u00a0}"),
  "a line separator between tokens": utf8("{\u2028}"),
  "a bad byte": '{"name":"\xff"}',
  "a byte of a sequence alone": '{"name":"\x80"}',
  "a cut sequence": '{"name":"\xe2\x82"}',
  "an overlong slash": '{"name":"\xc0\xaf"}',
  "an overlong NUL": '{"name":"\xc0\x80"}',
  "half of a surrogate pair in UTF-8": '{"name":"\xed\xa0\x80"}',
  "a sequence beyond Unicode": '{"name":"\xf4\x90\x80\x80"}',
  "half of a surrogate pair": '{"name":"\\ud800"}',
  "a surrogate pair the wrong way round": '{"name":"\\udc00\\ud800"}',
  "half of a surrogate pair as a key": '{"\\udfaa":0}',
  "an escaped NUL": '{"name":"a\\u0000b"}',
  "an escaped NUL as a key": '{"a\\u0000b":1}',
  "arrays without end": "[".repeat(200_000),
  "objects without end": '{"a":'.repeat(100_000),
  "a hundred thousand arrays": deep("[", "]", 100_000),
  "a hundred thousand objects": deep('{"a":', "}", 100_000),
  "arrays one deeper than is taken": `{"a":${deep("[", "]", 65)}}`,
  "a form": "name=x",
  XML: "<name>x</name>",
  "a number alone": "7",
  "a text alone": '"name"',
  "true alone": "true",
  "null alone": "null",
  "an empty array": "[]",
  "an array of objects": '[{"name":"x"}]',
  "a prototype": '{"__proto__":{"name":"x"}}',
  "a prototype beside a name": '{"name":"x","__proto__":{"role":"owner"}}',
  "an escaped prototype": '{"name":"x","\\u005f_proto__":{}}',
  "a constructor": '{"name":"x","constructor":{"prototype":{"polluted":1}}}',
  "methods of objects": '{"name":"x","toString":1,"hasOwnProperty":1,"valueOf":1,"toJSON":1}',
};

const json: Readonly<Record<string, string>> = {
  "an object": "{}",
  "spaces of every kind": " \t\r\n{ \t\r\n} \t\r\n",
  "a byte order mark before": "\xef\xbb\xbf{}",
  "a key twice": '{"name":"x","name":"y"}',
  "a key twice, once escaped": '{"name":"x","n\\u0061me":"y"}',
  "an empty key": '{"":1}',
  "a huge number": '{"name":1e400}',
  "a tiny number": '{"name":1e-400}',
  "minus zero": '{"name":-0}',
  "an integer beyond doubles": '{"name":123456789012345678901234567890}',
  "a number of ten thousand digits": `{"name":${"1".repeat(10_000)}}`,
  "a number of ten thousand decimals": `{"name":0.${"1".repeat(10_000)}}`,
  "a text of a megabyte": `{"name":"${"x".repeat(1_000_000)}"}`,
  "ten thousand keys": `{${Array.from({ length: 10_000 }, (_, key) => `"${key}":${key}`).join(",")}}`,
  "fifty thousand entries": `{"name":[${"0,".repeat(50_000)}0]}`,
  "every escape": '{"name":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041"}',
  noncharacters: '{"name":"\\ufffe\\uffff\\ud83f\\udffe"}',
  "a right-to-left override": '{"name":"\\u202ex"}',
  "combining marks by the hundred": utf8(`{"name":"a${"\u0301".repeat(300)}"}`),
  "null for everything": '{"name":null,"label":null,"records":null,"ids":null,"email":null,"expiresAt":null}',
  "objects for everything":
    '{"name":{},"label":{},"records":{},"ids":{},"email":{},"expiresAt":{},"active":{}}',
  "arrays for everything":
    '{"name":[],"label":[],"records":[],"ids":[],"email":[],"expiresAt":[],"active":[]}',
  "numbers for everything": '{"name":1,"label":1,"records":1,"ids":1,"email":1,"expiresAt":1,"active":1}',
};

function toCases(texts: Readonly<Record<string, string>>, refused: boolean): NastyJson[] {
  return Object.entries(texts).map(([what, text]) => ({ what, bytes: Buffer.from(text, "latin1"), refused }));
}

export const nastyJson: readonly NastyJson[] = [...toCases(noJson, true), ...toCases(json, false)];
