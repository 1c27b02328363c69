/**
 * Takes pictures of the panel in its states: `npm run screenshots` for all of them, or a part:
 * `npm run screenshots -- --state reply --theme dark2026 --width 330 --language en`. Every flag can be
 * repeated. They are written to `out/screenshots`. `--readme` takes the README's pictures of the
 * panel instead.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { BrowserContext } from "playwright-core";
import { FakeHost } from "../page/support/fakeHost";
import { PanelServer, type ThemeName } from "../page/support/panelServer";
import { launchBrowser } from "../support/browser/browser.mjs";
import { withLanguage } from "../support/fakes/fakeVscode";
import { pictureOfShop } from "./pictureOfShop";
import { SAMPLE_TEXTS } from "./sampleTexts";
import {
  models,
  README_STATES,
  STATES,
  type Language,
  type InLanguage,
  type State,
} from "./states";

/** VS Code's default themes, and high contrast. */
const THEMES: readonly ThemeName[] = ["light2026", "dark2026", "highContrast"];
const LANGUAGES: readonly Language[] = ["en", "zh-cn"];
const FOLDER = join("out", "screenshots");

const { values: flags } = parseArgs({
  options: {
    state: { type: "string", multiple: true },
    theme: { type: "string", multiple: true },
    language: { type: "string", multiple: true },
    width: { type: "string", multiple: true },
    height: { type: "string", default: "700" },
    readme: { type: "boolean", default: false },
  },
});

const HEIGHT_PX = Number(flags.height);
/** Widths in pixels; `--width` and `--height` can be any, as 640 and 400 for a window at 200 %. */
const widths = (flags.width ?? ["280", "330", "420", "900"]).map(Number);

interface Look {
  readonly theme: ThemeName;
  readonly language: Language;
  readonly widthPx: number;
  readonly heightPx?: number;
}

interface Studio {
  readonly server: PanelServer;
  readonly context: BrowserContext;
  /** Bytes of every picture in the panel. */
  readonly picture: Uint8Array<ArrayBuffer>;
}

/** Opens the panel in a state. */
async function openState(studio: Studio, state: State, look: Look): Promise<FakeHost> {
  const { theme, language, widthPx, heightPx = HEIGHT_PX } = look;
  const texts = SAMPLE_TEXTS[language];
  const inLanguage: InLanguage = (read) => withLanguage(language, read);
  const shown = inLanguage(() => {
    const own = state.shown(texts);
    return { ...own, panel: { models: models(), ...own.panel } };
  });
  const { server, context, picture } = studio;
  const answer = { isAccepted: true, picture: { mediaType: "image/png", bytes: picture } };
  const options = { theme, language, widthPx, heightPx, shown, answer, hasCodeColors: true };
  const host = await FakeHost.open(server, context, options);
  await host.send({ type: "theme-read" });
  await host.send({ type: "title-changed", title: texts.question.replaceAll("`", "") });
  await state.reach?.(host, texts, inLanguage);
  return host;
}

async function takePicture({ page }: FakeHost, path: string): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    const images = [...document.images].filter(({ src }) => src !== "");
    await Promise.all(images.map((image) => image.decode().catch(() => undefined)));
  });
  // Code is colored by a worker, and the diagram and formulas come in chunks of their own.
  await page.waitForLoadState("networkidle");
  // Code of a reply that is cut off can stay without colors.
  await page.waitForFunction(isCodeColored, undefined, { timeout: 3_000 }).catch(() => undefined);
  await page.screenshot({ path, scale: "device" });
}

/** Runs in the page. */
function isCodeColored(): boolean {
  const blocks = [...document.querySelectorAll(".code-block pre")];
  return blocks.every((block) => block.querySelector("span[class]") !== null);
}

/** Takes the chosen pictures: the page is opened once for all widths of a state. */
async function takeAll(studio: Studio): Promise<void> {
  const states = STATES.filter(({ name }) => isChosen(flags.state, name));
  const themes = THEMES.filter((theme) => isChosen(flags.theme, theme));
  const languages = LANGUAGES.filter((language) => isChosen(flags.language, language));
  for (const state of states) {
    for (const theme of themes) {
      for (const language of languages) {
        const folder = join(FOLDER, state.name);
        mkdirSync(folder, { recursive: true });
        const [widthPx = 330] = widths;
        const host = await openState(studio, state, { theme, language, widthPx });
        for (const width of widths) {
          await host.page.setViewportSize({ width, height: HEIGHT_PX });
          await takePicture(host, join(folder, `${theme}-${language}-${width}.png`));
        }
        await host.page.close();
      }
    }
    console.log(state.name);
  }
}

function isChosen(wanted: readonly string[] | undefined, name: string): boolean {
  return wanted === undefined || wanted.some((part) => name === part || name.includes(`-${part}`));
}

const README_LOOK = { language: "en", widthPx: 480 } as const;

/** Pictures of the README and their looks. */
const README: readonly (Look & { readonly file: string; readonly state: string })[] = [
  {
    file: "panel-dark",
    state: "readme-conversation",
    theme: "dark2026",
    ...README_LOOK,
    heightPx: 900,
  },
  {
    file: "panel-light",
    state: "readme-failure",
    theme: "light2026",
    ...README_LOOK,
    heightPx: 900,
  },
  { file: "history", state: "10-search", theme: "dark2026", ...README_LOOK, heightPx: 330 },
];

async function takeReadme(studio: Studio): Promise<void> {
  for (const { file, state: name, ...look } of README) {
    const state = [...STATES, ...README_STATES].find((one) => one.name === name);
    if (state === undefined) throw new Error(`there is no state "${name}"`);
    const host = await openState(studio, state, look);
    await takePicture(host, join("media", "readme", `${file}.png`));
    await host.page.close();
  }
}

async function takePanelPictures(): Promise<void> {
  const browser = await launchBrowser({ fonts: "system" });
  const server = await PanelServer.start();
  try {
    const context = await browser.newContext({
      reducedMotion: "reduce",
      ...(flags.readme && { deviceScaleFactor: 2 }),
    });
    const studio = { server, context, picture: await pictureOfShop(context) };
    if (flags.readme) await takeReadme(studio);
    else await takeAll(studio);
  } finally {
    await server.close();
    await browser.close();
  }
}

await takePanelPictures();
