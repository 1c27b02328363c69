/**
 * Answers which settings the organization fixes, and what it forbids. The file is read again at each
 * question, so a change applies at once. A file that cannot be used closes: nothing is sent.
 */
import * as vscode from "vscode";
import * as z from "zod/mini";
import { parseJson } from "../../base/parseJson";
import { ignoreListAnywhere, type IgnoreList } from "../../context/ignoreList";
import { DEFAULT_PATH } from "../../service/baseUrl";
import { readPolicyFile, systemPolicyFiles, type PolicyText } from "../node/policyFile";
import { watchPolicyFile, type PolicyFiles } from "../node/policyFile";
import { fixableSettings, type FixableName } from "./fixableSettings";

type FixedSettings = { readonly [K in FixableName]?: z.infer<(typeof fixableSettings)[K]> };

/** Unknown names are errors: a misspelled rule would otherwise not apply. */
const policySchema = z
  .strictObject({
    settings: z._default(z.partial(z.strictObject(fixableSettings)), {}),
    headers: z._default(z.record(z.string(), z.string()), {}),
    export: z._default(z.boolean(), true),
    pictures: z._default(z.boolean(), true),
    /** Lines as in .gitignore, each of which holds below every folder. */
    neverSent: z._default(z.array(z.string()), []),
    /** True for a record of the requests, without content. */
    record: z._default(z.boolean(), false),
  })
  .check(
    // Headers may hold what only the organization's services may receive.
    z.refine(
      ({ headers, settings }) => Object.keys(headers).length === 0 || fixesAddress(settings),
    ),
  );

export interface Policy {
  readonly settings: FixedSettings;
  readonly headers: Readonly<Record<string, string>>;
  readonly export: boolean;
  readonly pictures: boolean;
  readonly neverSent: readonly string[];
  /** Returns true for an absolute path, without `/` at its start, that a line of `neverSent` names. */
  readonly isNeverSent: IgnoreList;
  readonly record: boolean;
}

export interface PolicyState {
  /** Undefined without a policy. */
  readonly path: string | undefined;
  /** Reason why nothing is sent. */
  readonly problem: "unreadable" | "owner" | "mode" | "worker" | "content" | undefined;
  readonly policy: Policy;
}

const OPEN: Policy = {
  settings: {},
  headers: {},
  export: true,
  pictures: true,
  neverSent: [],
  isNeverSent: () => false,
  record: false,
};

const NO_ADDRESS = { baseUrl: "", path: DEFAULT_PATH, profiles: [] };

const CLOSED: Policy = {
  ...OPEN,
  settings: { ...NO_ADDRESS, offerModels: false },
  export: false,
  pictures: false,
  neverSent: ["*"],
  isNeverSent: () => true,
};

let files: PolicyFiles = systemPolicyFiles();
let last: { readonly read: PolicyText | undefined; readonly state: PolicyState } | undefined;

/** Reads another file. For tests: the system's folder belongs to an administrator. */
export function usePolicyFiles(other: PolicyFiles = systemPolicyFiles()): void {
  files = other;
}

export function policyState(): PolicyState {
  const content = readPolicyFile(files);
  if (last !== undefined && isSame(last.read, content)) return last.state;
  last = { read: content, state: stateOf(content) };
  return last.state;
}

/** Returns the policy as it is now; one that allows everything if there is none. */
export function policy(): Policy {
  return policyState().policy;
}

export function isFixed(name: string): boolean {
  return Object.hasOwn(policy().settings, name);
}

export function setByOrganization(): string {
  return vscode.l10n.t("Set by your organization");
}

/** Shows that a setting or command is not the user's; returns false if it is. */
export function refuseFixed(isRefused: boolean, what: string): boolean {
  if (isRefused)
    void vscode.window.showInformationMessage(vscode.l10n.t("{0}: {1}", what, setByOrganization()));
  return isRefused;
}

export function watchPolicy(onChange: () => void) {
  return watchPolicyFile(files, onChange);
}

function isSame(one: PolicyText | undefined, other: PolicyText | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function stateOf(read: PolicyText | undefined): PolicyState {
  if (read === undefined) return { path: undefined, problem: undefined, policy: OPEN };
  const { path } = read;
  if ("problem" in read) return { path, problem: read.problem, policy: CLOSED };
  const parsed = policySchema.safeParse(parseJson(read.text.replace(/^\uFEFF/, "")));
  if (!parsed.success) return { path, problem: "content", policy: CLOSED };
  const { settings: fixed, ...rules } = parsed.data;
  const isNeverSent = ignoreListAnywhere(rules.neverSent);
  if (isNeverSent === undefined) return { path, problem: "content", policy: CLOSED };
  const settings = (fixesAddress(fixed) ? { ...NO_ADDRESS, ...fixed } : fixed) as FixedSettings;
  return { path, problem: undefined, policy: { ...rules, settings, isNeverSent } };
}

/** An address that is fixed fixes all: another one would be a way around. */
function fixesAddress(settings: object): boolean {
  return ["baseUrl", "path", "profiles"].some((name) => Object.hasOwn(settings, name));
}
