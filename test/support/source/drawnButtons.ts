/** Finds the entries of the menus that VS Code draws for the extension. */
import { readFileSync } from "node:fs";

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: Readonly<
      Record<string, readonly { readonly command?: string; readonly submenu?: string }[]>
    >;
  };
}

/** Returns the entries of the menus; those of a submenu once for each menu that has the submenu. */
export function menuButtons(): Set<string> {
  const read = (name: string) => JSON.parse(readFileSync(name, "utf8")) as unknown;
  const { commands, menus } = (read("package.json") as Manifest).contributes;
  const texts = read("package.nls.json") as Readonly<Record<string, string>>;
  const titles = new Map(
    commands.map(({ command, title }) => [command, texts[title.slice(1, -1)] ?? title]),
  );
  const labelsOf = (menu: string): string[] =>
    (menus[menu] ?? []).flatMap(({ command = "", submenu }) =>
      submenu === undefined ? [titles.get(command) ?? command] : labelsOf(submenu),
    );
  // The palette is a list of VS Code; submenus are part of other menus.
  const places = Object.keys(menus).filter((one) => !/^(commandPalette|coreChat\..*)$/.test(one));
  return new Set(places.flatMap((place) => labelsOf(place).map((label) => `${place}: ${label}`)));
}
