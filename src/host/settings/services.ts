/**
 * Resolves the service, either that of the `baseUrl` setting or a profile, and prepares its turns.
 * Settings and key are read for each turn; a running turn keeps its own.
 */
import * as vscode from "vscode";
import { chooseModel } from "../../ask/ask";
import { Emitter } from "../../base/event";
import type { Log } from "../../base/log";
import { parseUrl } from "../../base/parseUrl";
import { isCoordinateScale, type CoordinateScale } from "../../pointing/coordinates";
import { allowedParameters } from "../../protocol/parameters";
import type { CoordinatesView, ModelSelection } from "../../protocol/views";
import type { Choices, PrepareTurn, TurnSettings } from "../../chat/conversation/prepareTurn";
import type { Parameters } from "../../conversation/conversation";
import type { Failure } from "../../conversation/ending";
import { filesOf } from "../../conversation/filesOf";
import type { Message, ModelKind } from "../../conversation/message";
import { LOOPBACK_KEY } from "../../service/apiKey";
import { DEFAULT_PATH, isLoopback, originOf, readBaseUrl } from "../../service/baseUrl";
import { ServiceKey } from "../../service/serviceKey";
import type { Connection, Sampling } from "../../service/types";
import { isFixed, policy, policyState } from "../policy/policy";
import { ChosenModel } from "./chosenModel";
import { KnownModels } from "./knownModels";
import { isSystemPromptOfWorkspace, readSettings, writeSetting, type Settings } from "./settings";
import type { KnownSecrets } from "./secrets";
import {
  HEADER_PREFIX,
  KEY_PREFIX,
  StoredSecrets,
  headerSecret,
  isSecretValue,
} from "./storedSecrets";
import { defined } from "../../base/defined";

export interface Service {
  /** Undefined for the service of the `baseUrl` setting. */
  readonly profileName: string | undefined;
  readonly baseUrl: string;
  /** Path of the endpoint, unless the base URL is the address of the endpoint. */
  readonly path: string;
  readonly modelCodes: Readonly<Record<ModelKind, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Service and model of the next question. */
export interface NextService {
  readonly services: readonly Service[];
  /** Undefined if the conversation's profile is gone. */
  readonly service: Service | undefined;
  readonly model: ModelSelection;
}

/** Stored profile of the service of the `baseUrl` setting. */
const DEFAULT_PROFILE = "";

/** Returns the profile that a conversation stores for a service. */
export function profileOf({ profileName }: Service): string {
  return profileName ?? DEFAULT_PROFILE;
}

/** Returns the host and port of a service; empty for an invalid base URL. */
export function hostOf({ baseUrl }: Service): string {
  return parseUrl(baseUrl)?.host ?? "";
}

const PROFILE_MEMORY = "coreChat.profile";

/** Scales of coordinates by `coordinatesKey`. */
const COORDINATES_MEMORY = "coreChat.coordinates";

function coordinatesKey({ baseUrl, modelCodes }: Service): string {
  return `${originOf(baseUrl) ?? ""}\n${modelCodes.vl}`;
}

/** Returns the model of a profile, unless the profile is the user's and the model the organization's. */
function ownModel(kind: ModelKind, code: string | undefined): string | undefined {
  return isFixed(`models.${kind}`) && !isFixed("profiles") ? undefined : code;
}

/** Returns true if the organization never sends a file, links resolved. */
export type IsNeverSent = (uri: vscode.Uri) => Promise<boolean>;

export class Services {
  /** Model for conversations without a choice of their own, or `auto`. */
  readonly model = new ChosenModel({
    read: () => readSettings().settings.model,
    write: (model) => writeSetting("model", model),
  });

  private readonly coordinatesChanges = new Emitter<void>();
  readonly onCoordinatesChanged = this.coordinatesChanges.event;

  readonly knownModels: KnownModels;

  /** Settles when the last address is in the settings, or could not be written. */
  private addressWritten: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly keys: StoredSecrets,
    private readonly headers: StoredSecrets,
    private readonly memory: vscode.Memento,
    private readonly isNeverSent: IsNeverSent,
  ) {
    this.knownModels = new KnownModels(memory);
  }

  /** Writes the address of the default service, and its path if given; turns wait for the result. */
  async writeBaseUrl(baseUrl: string, path?: string): Promise<void> {
    const written = this.writeAddress(baseUrl, path);
    this.addressWritten = written.catch(() => undefined);
    await written;
  }

  private async writeAddress(baseUrl: string, path: string | undefined): Promise<void> {
    await writeSetting("baseUrl", baseUrl);
    if (path !== undefined && path !== readSettings().settings.path)
      await writeSetting("path", path);
  }

  /**
   * Returns all services; the first is that of the `baseUrl` setting. Of two profiles with the same
   * name, the first counts.
   */
  all(settings: Settings): Service[] {
    const modelCodes = { llm: settings["models.llm"], vl: settings["models.vl"] };
    const { baseUrl, path } = settings;
    const { headers: fixedHeaders } = policy();
    const main = { profileName: undefined, baseUrl, path, modelCodes, headers: fixedHeaders };
    const profiles = new Map(settings.profiles.toReversed().map((one) => [one.name, one]));
    return [
      main,
      ...settings.profiles
        .filter((one) => profiles.get(one.name) === one)
        .map(({ name, models, headers, ...address }) => ({
          profileName: name,
          baseUrl: address.baseUrl,
          path: address.path ?? DEFAULT_PATH,
          modelCodes: {
            llm: ownModel("llm", models.llm) ?? modelCodes.llm,
            vl: ownModel("vl", models.vl) ?? modelCodes.vl,
          },
          headers: { ...headers, ...fixedHeaders },
        })),
    ];
  }

  active(settings: Settings): Service {
    const name = this.memory.get<string>(PROFILE_MEMORY);
    const [main, ...profiles] = this.all(settings) as [Service, ...Service[]];
    return profiles.find((service) => service.profileName === name) ?? main;
  }

  /** Returns the profile that a new conversation stores. */
  activeProfile(): string {
    return profileOf(this.active(readSettings().settings));
  }

  /**
   * Returns the service of a stored profile, the active service without a profile; undefined if the
   * profile is gone.
   */
  find(settings: Settings, profile: string | undefined): Service | undefined {
    if (profile === undefined) return this.active(settings);
    const name = profile === DEFAULT_PROFILE ? undefined : profile;
    return this.all(settings).find(({ profileName }) => profileName === name);
  }

  /** Returns the service of a stored profile; the active service if the profile is gone. */
  target(profile: string | undefined): Service {
    const { settings } = readSettings();
    return this.find(settings, profile) ?? this.active(settings);
  }

  next({ profile, model = this.model.get() }: Choices = {}): NextService {
    const { settings } = readSettings();
    return { services: this.all(settings), service: this.find(settings, profile), model };
  }

  /**
   * Activates another service for new conversations and the editor, from the next turn. Returns the
   * profile that a conversation stores for the service.
   */
  async use(service: Service): Promise<string> {
    await this.memory.update(PROFILE_MEMORY, service.profileName);
    return profileOf(service);
  }

  /** Activates the service of a stored profile; does nothing for an unknown profile. */
  useProfile(profile: string | undefined): void {
    const service = profile === undefined ? undefined : this.find(readSettings().settings, profile);
    if (service) void this.use(service);
  }

  /** Returns the possible scales of a service's coordinates; undefined if nothing is known. */
  coordinates(service: Service, settings: Settings): CoordinatesView | undefined {
    const { "vl.coordinates": chosen } = settings;
    if (chosen !== "auto") return { scales: [chosen], isChosen: true };
    const saved = this.memory.get<Record<string, unknown>>(COORDINATES_MEMORY);
    const scales = [saved?.[coordinatesKey(service)]].flat().filter(isCoordinateScale);
    return scales.length > 0 ? { scales, isChosen: false } : undefined;
  }

  /** Saves the scales that a test found or the user chose for this address and model. */
  async saveCoordinates(service: Service, scales: readonly CoordinateScale[]): Promise<void> {
    const saved = this.memory.get<Record<string, unknown>>(COORDINATES_MEMORY);
    await this.memory.update(COORDINATES_MEMORY, { ...saved, [coordinatesKey(service)]: scales });
    this.coordinatesChanges.fire();
  }

  /** Returns the token budget for a model: that of the settings, or less if the model reads less. */
  budgetOf(service: Service, modelCode: string, settings: Settings): number {
    const { budgetTokens = Infinity } = this.knownModels.get(hostOf(service), modelCode);
    return Math.min(settings["context.budget"], budgetTokens);
  }

  /** Returns true if there is a key for a service, or a command that prints one. */
  async hasKey(origin: string): Promise<boolean> {
    if (commandFor(origin, readSettings().settings) !== undefined) return true;
    return (await this.storedKey(origin)) !== undefined;
  }

  /** Returns the stored key; `local` for a service on this machine without a key. */
  private async storedKey(origin: string): Promise<string | undefined> {
    return (await this.keys.get(origin)) ?? (isLoopback(origin) ? LOOPBACK_KEY : undefined);
  }

  private async keyFor(origin: string, settings: Settings): Promise<ServiceKey | Failure> {
    const command = commandFor(origin, settings);
    if (command === undefined) {
      const key = await this.storedKey(origin);
      return key === undefined ? { kind: "no-key", origin } : new ServiceKey(key);
    }
    const state = policyState();
    const { keyOfCommand, keyAfter } = await import("./keyOfCommand");
    const reading = await keyOfCommand(command, Date.now());
    if (!reading.ok) return { kind: "key-command", problem: reading.problem };
    const { key } = reading;
    this.keys.known.add(key);
    return new ServiceKey(key, async () => {
      const newer = await keyAfter(key, command, Date.now());
      // The command may run for long, and the policy may have changed since.
      if (!newer.ok || policyState() !== state) return undefined;
      this.keys.known.add(newer.key);
      return newer.key;
    });
  }

  /** Returns the options of a question with this path, or the reason why none can be sent. */
  readonly prepareTurn: PrepareTurn = async (path, choices = {}) => {
    const { model = this.model.get(), profile, parameters: own = {} } = choices;
    await this.addressWritten;
    const state = policyState();
    const { settings } = readSettings();
    const service = this.find(settings, profile);
    if (service === undefined) return { kind: "no-profile", profile: profile ?? "" };
    const connection = await this.connectionTo(service);
    if ("kind" in connection) return connection;
    const { systemPrompt = settings.systemPrompt } = own;
    const neverSent = await this.neverSentIn(path);
    // The command for the key may run for long.
    if (policyState() !== state) return this.prepareTurn(path, choices);
    // Pictures are left out of requests to the text model.
    const modelKind = policy().pictures ? chooseModel(model, path) : "llm";
    return {
      modelKind,
      modelCode: service.modelCodes[modelKind],
      profile: profileOf(service),
      systemPrompt,
      isSystemPromptOfWorkspace: own.systemPrompt === undefined && isSystemPromptOfWorkspace(),
      sampling: samplingWith(own, settings, modelKind),
      isStreamed: settings.stream,
      budgetTokens: this.budgetOf(service, service.modelCodes[modelKind], settings),
      maxPictureTokens: settings["images.maxTokens"],
      describesPictures: settings["images.describe"],
      contentFilter: settings.contentFilter,
      connection,
      ...(neverSent.size > 0 && { neverSent }),
    } satisfies TurnSettings;
  };

  /**
   * Returns the URIs of files that the organization never sends. Their excerpts may have been attached
   * before, as in a draft, a waiting question or an imported conversation.
   */
  private async neverSentIn(path: readonly Message[]): Promise<ReadonlySet<string>> {
    if (policy().neverSent.length === 0) return new Set();
    const parts = path.flatMap((message) => (message.role === "user" ? message.parts : []));
    const uris = [...new Set(parts.flatMap(filesOf).map(({ uri }) => uri))];
    const never = await Promise.all(uris.map((uri) => this.isNeverSent(vscode.Uri.parse(uri))));
    return new Set(uris.filter((_uri, index) => never[index]));
  }

  /**
   * Returns the connection for a service as it is now, or the reason why no request can be sent. The
   * connection is used as long as the policy does not change.
   */
  async connectionTo({ profileName }: Service): Promise<Connection | Failure> {
    const state = policyState();
    const { path: policyPath = "", problem } = state;
    if (problem !== undefined) return { kind: "bad-policy", path: policyPath, problem };
    const { settings } = readSettings();
    const service = this.all(settings).find((one) => one.profileName === profileName);
    if (service === undefined) return { kind: "no-profile", profile: profileName ?? "" };
    if (service.baseUrl.trim() === "") return { kind: "no-service" };
    const reading = readBaseUrl(service.baseUrl);
    const origin = originOf(service.baseUrl);
    if (!reading.ok || origin === undefined) {
      return { kind: "bad-url", problem: reading.ok ? "not-a-url" : reading.problem };
    }
    const key = await this.keyFor(origin, settings);
    if ("kind" in key) return key;
    const headers: Record<string, string> = {};
    const secretHeaders: Record<string, string> = {};
    for (const [header, value] of Object.entries(service.headers)) {
      if (!isSecretValue(value)) headers[header] = value;
      else {
        const secret = await this.headers.get(headerSecret(origin, header));
        if (secret === undefined) return { kind: "no-header", origin, header: header.trim() };
        secretHeaders[header] = secret;
      }
    }
    return {
      baseUrl: reading.baseUrl,
      path: reading.path ?? service.path,
      key,
      headers,
      secretHeaders,
      isWithoutPictures: !state.policy.pictures,
      isStillAllowed: () => policyState() === state,
      connectTimeoutMs: settings["timeouts.connect"] * 1000,
      firstByteTimeoutMs: settings["timeouts.firstByte"] * 1000,
      silenceTimeoutMs: settings["timeouts.silence"] * 1000,
      retries: settings.retries,
    };
  }
}

export interface ServiceStores {
  readonly services: Services;
  readonly keys: StoredSecrets;
  readonly headers: StoredSecrets;
}

/** Creates the services; reads no secret before the first question. */
export function createServices(
  { secrets, globalState }: vscode.ExtensionContext,
  known: KnownSecrets,
  log: Log,
  isNeverSent: IsNeverSent,
): ServiceStores {
  const keys = new StoredSecrets(secrets, KEY_PREFIX, known, log);
  const headers = new StoredSecrets(secrets, HEADER_PREFIX, known, log);
  return { services: new Services(keys, headers, globalState, isNeverSent), keys, headers };
}

/** Returns the command that prints the key of a service: only that of the `baseUrl` setting has one. */
function commandFor(origin: string, { apiKeyCommand, baseUrl }: Settings) {
  const isOwn = apiKeyCommand.length > 0 && originOf(baseUrl) === origin;
  return isOwn ? apiKeyCommand : undefined;
}

function samplingWith(own: Parameters, settings: Settings, kind: ModelKind): Sampling {
  const { temperature, topP, maxTokens, repetitionPenalty } = allowedParameters(own);
  return {
    ...samplingOf(settings, kind),
    ...defined({ temperature, topP }),
    ...(kind === "llm" && maxTokens !== undefined && { maxTokens }),
    ...(kind === "vl" && repetitionPenalty !== undefined && { repetitionPenalty }),
  };
}

export function samplingOf(settings: Settings, kind: ModelKind): Sampling {
  const values = {
    temperature: settings[`${kind}.temperature`],
    topP: settings[`${kind}.topP`],
    maxTokens: kind === "llm" ? settings["llm.maxTokens"] : null,
    repetitionPenalty: kind === "vl" ? settings["vl.repetitionPenalty"] : null,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
