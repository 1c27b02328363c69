/**
 * Client of the D-Bus session bus of a Linux desktop: calls methods with texts and options, and waits
 * for signals. Reads every basic type and containers of them.
 * Protocol: https://dbus.freedesktop.org/doc/dbus-specification.html
 */
import { connect, type Socket } from "node:net";

/** Arguments of a call: a text is `s`, a record is `a{sv}` of texts and booleans. */
type BusArgument = string | Readonly<Record<string, string | boolean>>;

interface BusMember {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
}

/** A received message. */
export interface BusMessage {
  readonly isError: boolean;
  /** Arguments; dictionaries are records, variants are their values. */
  readonly body: readonly unknown[];
}

export interface SessionBus {
  /** Name of this connection, such as ":1.42". */
  readonly uniqueName: string;
  /** Calls a method; rejects if the connection ends or the signal is aborted. */
  call(member: BusMember, args: readonly BusArgument[], signal: AbortSignal): Promise<BusMessage>;
  waitForSignal(
    path: string,
    interfaceName: string,
    member: string,
    signal: AbortSignal,
  ): Promise<BusMessage>;
  close(): void;
}

const enum MessageType {
  Call = 1,
  Return = 2,
  Error = 3,
  Signal = 4,
}

const enum Field {
  Path = 1,
  Interface = 2,
  Member = 3,
  ReplySerial = 5,
  Destination = 6,
  Signature = 8,
}

const BUS: Omit<BusMember, "member"> = {
  destination: "org.freedesktop.DBus",
  path: "/org/freedesktop/DBus",
  interface: "org.freedesktop.DBus",
};

/** Largest message that the specification allows, in bytes. */
const MAX_MESSAGE_BYTES = 128 * 1024 * 1024;

/** Size of the fixed part of a message's header, in bytes. */
const FIXED_BYTES = 16;

/** Connects to the bus of the user's session; undefined if there is none. */
export async function openSessionBus(
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<SessionBus | undefined> {
  const path = socketPath(env);
  if (path === undefined) return undefined;
  let bus: BusConnection | undefined;
  try {
    bus = new BusConnection(await authenticated(path, signal));
    const { body } = await bus.call({ ...BUS, member: "Hello" }, [], signal);
    bus.uniqueName = String(body[0]);
    return bus;
  } catch {
    bus?.close();
    return undefined;
  }
}

/** Returns the path of the bus's socket; a path that begins with NUL is abstract. */
function socketPath(env: NodeJS.ProcessEnv): string | undefined {
  for (const address of (env["DBUS_SESSION_BUS_ADDRESS"] ?? "").split(";")) {
    const [, kind, value] = /^unix:(?:[^,]*,)*?(path|abstract)=([^,]+)/.exec(address) ?? [];
    if (value === undefined) continue;
    return `${kind === "abstract" ? "\0" : ""}${decodeURIComponent(value)}`;
  }
  return undefined;
}

/** Connects and identifies as this process's user. */
function authenticated(path: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const end = (error: Error) => {
      signal.removeEventListener("abort", abort);
      socket.destroy();
      reject(error);
    };
    const abort = () => end(new Error("aborted"));
    signal.addEventListener("abort", abort, { once: true });
    socket.once("error", end);
    socket.once("close", () => end(new Error("the bus closed the connection")));
    if (signal.aborted) abort();
    socket.once("connect", () => {
      const user = Buffer.from(String(process.getuid?.() ?? 0)).toString("hex");
      socket.write(`\0AUTH EXTERNAL ${user}\r\n`);
    });
    socket.once("data", (answer) => {
      if (!answer.toString("latin1").startsWith("OK ")) {
        end(new Error("refused"));
        return;
      }
      signal.removeEventListener("abort", abort);
      socket.removeAllListeners();
      socket.write("BEGIN\r\n");
      resolve(socket);
    });
  });
}

type Waiter = (message: BusMessage | undefined) => void;

class BusConnection implements SessionBus {
  uniqueName = "";
  private lastSerial = 0;
  private readonly replies = new Map<number, Waiter>();
  private readonly signals = new Map<string, Waiter>();
  private received = Buffer.alloc(0);

  constructor(private readonly socket: Socket) {
    socket.on("data", (bytes) => this.receive(bytes));
    socket.on("error", () => this.close());
    socket.on("close", () => this.end());
  }

  call(member: BusMember, args: readonly BusArgument[], signal: AbortSignal): Promise<BusMessage> {
    const serial = ++this.lastSerial;
    const reply = waited(this.replies, serial, signal);
    this.socket.write(callMessage(serial, member, args));
    return reply;
  }

  async waitForSignal(
    path: string,
    interfaceName: string,
    member: string,
    signal: AbortSignal,
  ): Promise<BusMessage> {
    const waiting = waited(this.signals, `${path} ${interfaceName} ${member}`, signal);
    waiting.catch(() => undefined); // Returned below.
    const rule = `type='signal',path='${path}',interface='${interfaceName}',member='${member}'`;
    await this.call({ ...BUS, member: "AddMatch" }, [rule], signal);
    return waiting;
  }

  close(): void {
    this.socket.destroy();
  }

  private end(): void {
    for (const waiters of [this.replies, this.signals]) {
      for (const waiter of waiters.values()) waiter(undefined);
      waiters.clear();
    }
  }

  private receive(bytes: Buffer): void {
    this.received = Buffer.concat([this.received, bytes]);
    try {
      for (;;) {
        const length = messageLength(this.received);
        if (length === undefined || length > this.received.length) return;
        this.dispatch(this.received.subarray(0, length));
        this.received = this.received.subarray(length);
      }
    } catch {
      this.close(); // Not a D-Bus message.
    }
  }

  private dispatch(bytes: Buffer): void {
    const { type, fields, body } = readMessage(bytes);
    const message = { isError: type === MessageType.Error, body };
    if (type === MessageType.Signal) {
      const [path, name, member] = [Field.Path, Field.Interface, Field.Member].map((field) =>
        String(fields.get(field)),
      );
      this.signals.get(`${path} ${name} ${member}`)?.(message);
    } else this.replies.get(Number(fields.get(Field.ReplySerial)))?.(message);
  }
}

/** Adds a waiter; rejects if the waiter is called without a message or the signal is aborted. */
function waited<Key>(
  waiters: Map<Key, Waiter>,
  key: Key,
  signal: AbortSignal,
): Promise<BusMessage> {
  return new Promise((resolve, reject) => {
    const settle: Waiter = (message) => {
      waiters.delete(key);
      signal.removeEventListener("abort", abort);
      if (message) resolve(message);
      else reject(new Error("no answer from the bus"));
    };
    const abort = () => settle(undefined);
    waiters.set(key, settle);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}

/** Collects little-endian values at their alignment. */
class MessageWriter {
  private readonly bytes: number[] = [];

  get length(): number {
    return this.bytes.length;
  }

  align(size: number): void {
    while (this.bytes.length % size !== 0) this.bytes.push(0);
  }

  byte(value: number): void {
    this.bytes.push(value);
  }

  uint32(value: number): void {
    this.align(4);
    for (let shift = 0; shift < 32; shift += 8) this.bytes.push((value >>> shift) & 0xff);
  }

  text(value: string): void {
    const encoded = Buffer.from(value, "utf8");
    this.uint32(encoded.length);
    this.bytes.push(...encoded, 0);
  }

  signature(value: string): void {
    this.bytes.push(value.length, ...Buffer.from(value, "latin1"), 0);
  }

  /** Writes an array; its length does not count the padding before the first item. */
  array(itemAlignment: number, writeItems: () => void): void {
    this.uint32(0);
    const lengthAt = this.bytes.length - 4;
    this.align(itemAlignment);
    const startAt = this.bytes.length;
    writeItems();
    const length = this.bytes.length - startAt;
    for (let index = 0; index < 4; index++) {
      this.bytes[lengthAt + index] = (length >>> (8 * index)) & 0xff;
    }
  }

  toBuffer(): Buffer {
    return Buffer.from(this.bytes);
  }
}

function callMessage(
  serial: number,
  { destination, path, interface: interfaceName, member }: BusMember,
  args: readonly BusArgument[],
): Buffer {
  const body = new MessageWriter();
  for (const arg of args) {
    if (typeof arg === "string") body.text(arg);
    else writeOptions(body, arg);
  }
  const signature = args.map((arg) => (typeof arg === "string" ? "s" : "a{sv}")).join("");
  const header = new MessageWriter();
  for (const byte of [0x6c, MessageType.Call, 0, 1]) header.byte(byte);
  header.uint32(body.length);
  header.uint32(serial);
  header.array(8, () => {
    const fields: [Field, string, string][] = [
      [Field.Path, "o", path],
      [Field.Destination, "s", destination],
      [Field.Interface, "s", interfaceName],
      [Field.Member, "s", member],
    ];
    for (const [field, type, value] of fields) {
      header.align(8);
      header.byte(field);
      header.signature(type);
      header.text(value);
    }
    if (signature === "") return;
    header.align(8);
    header.byte(Field.Signature);
    header.signature("g");
    header.signature(signature);
  });
  header.align(8);
  return Buffer.concat([header.toBuffer(), body.toBuffer()]);
}

function writeOptions(body: MessageWriter, options: Readonly<Record<string, string | boolean>>) {
  body.array(8, () => {
    for (const [name, value] of Object.entries(options)) {
      body.align(8);
      body.text(name);
      body.signature(typeof value === "string" ? "s" : "b");
      if (typeof value === "string") body.text(value);
      else body.uint32(value ? 1 : 0);
    }
  });
}

/** Returns the length of the first message; undefined if its header is incomplete. */
function messageLength(bytes: Buffer): number | undefined {
  if (bytes.length < FIXED_BYTES) return undefined;
  const isLittle = bytes[0] === 0x6c;
  const read = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const length = Math.ceil((FIXED_BYTES + read(12)) / 8) * 8 + read(4);
  if (length > MAX_MESSAGE_BYTES) throw new Error("the message is too long");
  return length;
}

function readMessage(bytes: Buffer) {
  const reader = new MessageReader(bytes);
  const header = reader.values("yyyyuua(yv)");
  reader.align(8);
  const fields = new Map(
    (header[6] as [number, unknown][]).map(([field, value]) => [field, value]),
  );
  const signature = fields.get(Field.Signature);
  const body = typeof signature === "string" ? reader.values(signature) : [];
  return { type: header[1], fields, body };
}

/** Reads values by their type signatures. */
class MessageReader {
  private at = 0;
  private readonly isLittle: boolean;

  constructor(private readonly bytes: Buffer) {
    this.isLittle = bytes[0] === 0x6c;
  }

  align(size: number): void {
    this.at = Math.ceil(this.at / size) * size;
  }

  values(signature: string): unknown[] {
    return completeTypes(signature).map((type) => this.value(type));
  }

  private value(type: string): unknown {
    switch (type[0]) {
      case "y":
        return this.bytes.readUInt8(this.at++);
      case "b":
        return this.number(4) !== 0;
      case "n":
      case "q":
        return this.number(2);
      case "i":
      case "u":
      case "h":
        return this.number(4);
      case "x":
      case "t":
      case "d":
        this.number(8);
        return undefined; // No used value has these types.
      case "s":
      case "o":
        return this.text(this.number(4));
      case "g":
        return this.text(this.bytes.readUInt8(this.at++));
      case "v":
        return this.value(String(this.value("g")));
      case "(":
        this.align(8);
        return this.values(type.slice(1, -1));
      case "a":
        return this.array(type.slice(1));
      default:
        throw new Error("an unknown type");
    }
  }

  private number(size: 2 | 4 | 8): number {
    this.align(size);
    const at = this.at;
    this.at += size;
    const length = Math.min(size, 6);
    return this.isLittle ? this.bytes.readUIntLE(at, length) : this.bytes.readUIntBE(at, length);
  }

  private text(length: number): string {
    const text = this.bytes.toString("utf8", this.at, this.at + length);
    this.at += length + 1;
    return text;
  }

  /** Reads an array; a dictionary becomes a record. */
  private array(itemType: string): unknown {
    const length = this.number(4);
    this.align(alignmentOf(itemType));
    const end = this.at + length;
    if (end > this.bytes.length) throw new Error("an array beyond the message");
    const items: unknown[] = [];
    if (itemType.startsWith("{")) {
      const record: Record<string, unknown> = {};
      while (this.at < end) {
        this.align(8);
        const [name, value] = this.values(itemType.slice(1, -1));
        record[String(name)] = value;
      }
      return record;
    }
    while (this.at < end) items.push(this.value(itemType));
    return items;
  }
}

function alignmentOf(type: string): number {
  if (/^[({xtd]/.test(type)) return 8;
  if (/^[aisobuh]/.test(type)) return 4;
  return /^[nq]/.test(type) ? 2 : 1;
}

/** Splits a signature into its complete types: "ua{sv}" into "u" and "a{sv}". */
function completeTypes(signature: string): string[] {
  const types: string[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < signature.length; at++) {
    const letter = signature.charAt(at);
    if (letter === "(" || letter === "{") depth++;
    if (letter === ")" || letter === "}") depth--;
    if (depth > 0 || letter === "a") continue;
    types.push(signature.slice(start, at + 1));
    start = at + 1;
  }
  return types;
}
