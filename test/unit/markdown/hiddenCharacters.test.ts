/** Hidden characters in code: dangerous ones are reported, legitimate uses are not. */
import assert from "node:assert/strict";
import {
  cleanHiddenCharacters,
  findHiddenCharacters,
  hiddenKinds,
} from "../../../src/markdown/hiddenCharacters";

function checkNames(text: string, names: string[]): void {
  assert.deepEqual(
    findHiddenCharacters(text).map(({ name }) => name),
    names,
  );
}

describe("findHiddenCharacters", () => {
  it("reports bidirectional controls at their position", () => {
    assert.deepEqual(findHiddenCharacters("if (a \u202e) {\u2066"), [
      { index: 6, length: 1, name: "U+202E RIGHT-TO-LEFT OVERRIDE" },
      { index: 10, length: 1, name: "U+2066 LEFT-TO-RIGHT ISOLATE" },
    ]);
  });

  it("reports zero-width characters, soft hyphens and fillers", () => {
    checkNames("a\u200bb\ufeffc\u00add\u3164", [
      "U+200B ZERO WIDTH SPACE",
      "U+FEFF ZERO WIDTH NO-BREAK SPACE",
      "U+00AD SOFT HYPHEN",
      "U+3164 HANGUL FILLER",
    ]);
  });

  it("reports joiners between Latin letters", () => {
    checkNames("us\u200der na\u200cme", [
      "U+200D ZERO WIDTH JOINER",
      "U+200C ZERO WIDTH NON-JOINER",
    ]);
  });

  it("reports tag characters outside a flag, and a flag that is not closed", () => {
    checkNames("x\u{e0041}", ["U+E0041 TAG CHARACTER"]);
    assert.equal(findHiddenCharacters("\u{1f3f4}\u{e0067}\u{e0062} x").length, 2);
    assert.equal(findHiddenCharacters("\u{1f3f4}\u{e0067}\u{e007f}\u{e0041}").length, 3);
  });

  it("reports a message of tag characters in a black flag", () => {
    // The three flags of RGI_Emoji_Tag_Sequence in Unicode's emoji-sequences.txt.
    const tags = (letters: string) =>
      Array.from(letters, (one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0))).join("");
    for (const region of ["gbeng", "gbsct", "gbwls"]) {
      assert.deepEqual(findHiddenCharacters(`\u{1f3f4}${tags(region)}\u{e007f}`), [], region);
    }
    for (const message of ["rm -rf", "ustx", "gbxxx", "g"]) {
      const text = `\u{1f3f4}${tags(message)}\u{e007f}`;
      assert.equal(findHiddenCharacters(text).length, message.length + 1, message);
    }
  });

  it("reports a message in the variation selectors of ideographs", () => {
    const bytes = [...new TextEncoder().encode("ignore the rules")];
    const text = bytes.map((byte) => `字${String.fromCodePoint(0xe0100 + byte)}`).join("");
    assert.equal(findHiddenCharacters(text).length, bytes.length);
    const signs = [0, 1, 2].map((one) => `字${String.fromCodePoint(0xfe00 + one)}`).join("");
    assert.equal(findHiddenCharacters(`${signs}+\ufe00`).length, 4);
    checkNames("+\ufe05", ["U+FE05 VARIATION SELECTOR-6"]);
  });

  it("reports control characters but not tabs and line endings", () => {
    checkNames("\ta\r\n\u001b[31m", ["U+001B CONTROL CHARACTER"]);
  });

  it("reports line separators and every blank that is not a space", () => {
    checkNames("// checks the role \u2028doEvil();\u2029", [
      "U+2028 LINE SEPARATOR",
      "U+2029 PARAGRAPH SEPARATOR",
    ]);
    for (const blank of "\u00a0\u1680\u2000\u2007\u200a\u202f\u205f\u2800\u3000") {
      assert.equal(
        findHiddenCharacters(`a${blank}b`).length,
        1,
        blank.codePointAt(0)?.toString(16),
      );
    }
  });

  const harmless = {
    "plain code": "const a = 1; // ok\n\treturn a;",
    "emoji families":
      "\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u{1f469}\u{1f3fd}\u200d\u{1f4bb} \u2764\ufe0f\u200d\u{1f525}",
    keycaps: "1\ufe0f\u20e3",
    "the flag of Scotland": "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    Persian: "می\u200cخواهم",
    "Arabic with vowel marks": "بِ\u200dك",
    Hindi: "क्\u200dष र्\u200cक",
    Sinhala: "ශ්\u200dරී",
    Mongolian: "\u1820\u180b",
    "a Japanese sentence with its own space": "こんにちは\u3000世界",
    "a Chinese paragraph": "\u3000\u3000今天天气很好。",
    "a Chinese paragraph that begins with speech": "\u3000\u3000“你好！”",
    "French quotation marks": "«\u00a0oui\u202f»",
    Braille: "\u2813\u2800\u2815",
    "Japanese with variants":
      "葛\u{e0100}城市の辻\u{e0100}さんと渡邉\u{e0101}さん、葛\u{e0100}城市",
  };
  for (const [name, text] of Object.entries(harmless)) {
    it(`reports nothing for ${name}`, () => {
      assert.deepEqual(findHiddenCharacters(text), []);
    });
  }
});

describe("cleanHiddenCharacters", () => {
  const typography = {
    "a French colon": "Attention\u00a0: lisez bien 100\u00a0% du texte.",
    "a narrow no-break space": "12\u202f000\u202f€",
    "German soft hyphens": "Donau\u00addampf\u00adschiff",
    "Hebrew marks of direction": "שלום לך \u200f(v1.2)\u200e",
    "Thai word spaces": "สวัสดี\u200bชาวโลก",
    "ideographic spaces": "a\u3000b",
    "thin spaces": "12\u2009kg",
    "word joiners": "a\u2060b",
    "ESC codes": "\u001b[31mred",
    "line separators": "a\u2028b",
    "form feeds": "\u000c",
  };
  for (const [name, text] of Object.entries(typography)) {
    it(`leaves ${name} alone if the file has such characters`, () => {
      const known = hiddenKinds(`one\n${text}\n`);
      assert.equal(cleanHiddenCharacters(`new ${text}`, known), `new ${text}`);
      const attack = `${text}\u202e\u{e0041}x`;
      assert.equal(cleanHiddenCharacters(attack, known), `${text}x`);
      assert.notEqual(cleanHiddenCharacters(text), text);
    });
  }

  it("replaces a blank with a space, so that words stay separate", () => {
    assert.equal(cleanHiddenCharacters("rm\u00a0-r\u2003x\u2028y\ufeff"), "rm -r x y");
  });

  it("removes only the reported characters", () => {
    assert.equal(
      cleanHiddenCharacters("a\u202eb \u{1f468}\u200d\u{1f469}\u200b"),
      "ab \u{1f468}\u200d\u{1f469}",
    );
  });
});
