/**
 * Pumps every regular expression of src with the texts that make it slow. Patterns read replies,
 * files and output of others, so a search takes a bounded number of steps for each character. Steps
 * are counted, not timed, so the result is the same on every machine.
 */
import assert from "node:assert/strict";
import { TEXT_NOTATIONS } from "../../src/pointing/notations";
import { tableSections } from "../../src/secrets/dataTable";
import namedSecrets from "../../src/secrets/namedSecrets.txt";
import secretNames from "../../src/secrets/secretNames.txt";
import { MAX_NAME, MAX_PATH } from "../../src/secrets/secretNames";
import { SECRET_PATTERNS } from "../../src/secrets/secretTokens";
import { itWithRounds } from "../support/depth";
import { CountedPattern } from "../support/patterns/countSteps";
import { patternsOf, type SourcePattern } from "../support/patterns/patternsOf";
import { partsOf, pumpedText, pumpsOf } from "../support/patterns/pumps";
import { filesBelow } from "../support/source/files";

/** Lengths of the texts: the last one only if the steps for each character grow. */
const SHORT = 128;
const MIDDLE = 512;
const LONG = 8_192;

/** Upper limit of steps for each character: a megabyte takes about 0.2 s. */
const MAX_STEPS = 128;

/** Returns the start of a text that takes too many steps; undefined for none. */
function slowText({ source, flags, maxLength }: SourcePattern): string | undefined {
  for (const part of partsOf(source, flags)) {
    const text = slowTextOf(part, flags, maxLength);
    if (text !== undefined) return text;
  }
  return undefined;
}

function slowTextOf(
  source: string,
  flags: string,
  maxLength: number | undefined,
): string | undefined {
  const pattern = new CountedPattern(source, flags);
  const maxSteps = MAX_STEPS * LONG;
  const longest = Math.min(LONG, maxLength ?? LONG);
  const stepsAt = (text: string) => pattern.stepsIn(text, maxSteps) / text.length;
  for (const pump of pumpsOf(source, flags)) {
    const short = stepsAt(pumpedText(pump, SHORT));
    const middle = stepsAt(pumpedText(pump, MIDDLE));
    if (middle < 1.3 * short && middle < MAX_STEPS) continue;
    const text = pumpedText(pump, longest);
    // A text with a limit may take as many steps as the longest text without.
    const limit = maxLength === undefined ? MAX_STEPS * text.length : maxSteps;
    if (pattern.stepsIn(text, limit) > limit) return text.slice(0, 60);
  }
  return undefined;
}

describe("regular expressions", () => {
  const files = filesBelow("src", /\.tsx?$/).map(patternsOf);

  const patternCounts = { quick: 30, all: 10_000 };
  itWithRounds("take a bounded number of steps for each character", patternCounts, (count) => {
    const rows = TEXT_NOTATIONS.map(({ pattern: source }, row) => {
      return { place: `notation ${row}`, line: 0, source, flags: "g", maxLength: undefined };
    });
    const tokens = SECRET_PATTERNS.map(({ pattern }, row): SourcePattern => {
      const { source, flags } = pattern;
      return { place: `secretTokens.txt ${row}`, line: 0, source, flags, maxLength: undefined };
    });
    const names = tableSections(secretNames)
      .filter(({ heading }) => heading.includes("-"))
      .flatMap((section) => section.rows.map((row) => ({ heading: section.heading, row })))
      .map(({ heading, row: source }): SourcePattern => {
        const maxLength = heading.includes("path") ? MAX_PATH : MAX_NAME;
        return { place: `secretNames.txt ${heading}`, line: 0, source, flags: "", maxLength };
      });
    const values = tableSections(namedSecrets)
      .filter(({ heading }) => !/^(?:word|least .*)$/.test(heading))
      .map(({ heading, rows: sources }): SourcePattern => {
        const source = heading === "no-value" ? `^(?:${sources.join("|")})$` : sources.join("|");
        const place = `namedSecrets.txt ${heading}`;
        return { place, line: 0, source, flags: "gi", maxLength: undefined };
      });
    assert.ok(tokens.length > 40 && names.length > 60 && values.length === 5);
    const tables = [...rows, ...tokens, ...names, ...values];
    const patterns = [...files.flatMap((file) => file.patterns), ...tables];
    assert.ok(patterns.length > 500, `only ${patterns.length} patterns were found`);
    // The quick run pumps other patterns each day.
    const step = Math.ceil(patterns.length / count);
    const first = Math.floor(Date.now() / 86_400_000) % step;
    const pumped = patterns.filter((_, at) => at % step === first);
    const slow = pumped.flatMap((pattern) => {
      const text = slowText(pattern);
      return text === undefined ? [] : [`${pattern.place}: ${JSON.stringify(text)}`];
    });
    assert.deepEqual(slow, []);
  });

  it("are constant, or a comment says what they are made of", () => {
    assert.deepEqual(
      files.flatMap(({ variable }) => variable),
      [],
    );
  });

  it("that are slow are found", () => {
    const found = (source: string, flags = "") => {
      const pattern = { place: "", line: 0, source, flags, maxLength: undefined };
      return slowText(pattern) !== undefined;
    };
    assert.ok(found(String.raw`\beyJ[\w-]{8,}\.[\w-]*`));
    assert.ok(found("(?:a|a)*b"));
    assert.ok(found(String.raw`\s+$`));
    assert.ok(!found(String.raw`[\w-]{1,20}@`));
  });
});
