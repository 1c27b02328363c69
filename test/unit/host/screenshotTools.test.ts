/**
 * Screenshots with real programs on PATH: tools that write a picture, are canceled, fail, or hang.
 * The desktop portal is a server on a real socket.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { captureRegion } from "../../../src/host/node/regionTools";
import { madePng } from "../../support/pictures/madePng";

const MAX_BYTES = 1024 * 1024;

describe("the system's screenshot tools", () => {
  let folder: string;
  let picture: string;
  /** Folder for temporary files; empty after each test. */
  let temporary: string;
  const { TMPDIR: before } = process.env;
  const bytes = madePng(7, 5);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "screenshot-tools-"));
    picture = join(folder, "made.png");
    writeFileSync(picture, bytes);
  });
  beforeEach(() => {
    temporary = join(folder, "temporary");
    mkdirSync(temporary);
    process.env["TMPDIR"] = temporary;
  });
  afterEach(() => {
    const left = readdirSync(temporary);
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    rmSync(folder, { recursive: true, force: true });
    assert.deepEqual(left, []);
  });

  /** Writes a shell script into a folder on PATH. */
  function stub(name: string, ...lines: string[]): void {
    const file = join(folder, name);
    writeFileSync(file, ["#!/bin/sh", ...lines, ""].join("\n"));
    chmodSync(file, 0o755);
  }

  function capture(
    platform: NodeJS.Platform = "linux",
    signal = new AbortController().signal,
    env: NodeJS.ProcessEnv = {},
  ) {
    const own = { PATH: [folder, "/usr/bin", "/bin"].join(delimiter), ...env };
    return captureRegion({ platform, env: own, maxBytes: MAX_BYTES }, signal);
  }

  const lastArgument = 'for file in "$@"; do :; done';

  for (const [platform, name] of [
    ["darwin", "screencapture"],
    ["linux", "spectacle"],
    ["linux", "gnome-screenshot"],
    ["linux", "scrot"],
  ] as const) {
    it(`captures with ${name} and removes its file`, async () => {
      const log = join(folder, "log");
      stub(name, lastArgument, `echo "$file" > "${log}"`, `cp "${picture}" "$file"`);
      const result = await capture(platform);
      assert.deepEqual(result.kind === "captured" && Buffer.from(result.bytes), bytes);
      const written = readFileSync(log, "utf8").trim();
      assert.ok(written.startsWith(temporary), written);
      assert.equal(existsSync(join(written, "..")), false);
    });
  }

  it("captures with grim the region that slurp printed", async () => {
    stub("slurp", 'echo "10,20 30x40"');
    stub("grim", lastArgument, `[ "$1 $2" = "-g 10,20 30x40" ] && cp "${picture}" "$file"`);
    assert.equal((await capture()).kind, "captured");
  });

  it("uses the first tool that is installed, and the next after a failure", async () => {
    stub("spectacle", 'echo "cannot connect to display" >&2', "exit 1");
    stub("scrot", lastArgument, `cp "${picture}" "$file"`);
    assert.equal((await capture()).kind, "captured");
  });

  for (const [description, ...lines] of [
    ["without a file and without output", "exit 0"],
    ["with code 1 and no output", "exit 1"],
    ["with a message about the key", 'echo "scrot: Key was pressed, aborting shot" >&2', "exit 2"],
  ] as const) {
    it(`treats an exit ${description} as canceled`, async () => {
      stub("scrot", ...lines);
      assert.deepEqual(await capture(), { kind: "canceled" });
    });
  }

  it("runs no other tool after the user canceled", async () => {
    stub("slurp", 'echo "selection cancelled" >&2', "exit 1");
    stub("grim", "exit 3");
    stub("scrot", lastArgument, `cp "${picture}" "$file"`);
    assert.deepEqual(await capture(), { kind: "canceled" });
  });

  it("names a tool that fails", async () => {
    stub("scrot", 'echo "giblib error: Can\'t open X display" >&2', "exit 1");
    assert.deepEqual(await capture(), { kind: "failed", tool: "scrot" });
  });

  it("names a tool that writes an empty file", async () => {
    stub("screencapture", lastArgument, ': > "$file"');
    assert.deepEqual(await capture("darwin"), { kind: "failed", tool: "screencapture" });
  });

  it("reports that there is no tool", async () => {
    const empty = { PATH: folder };
    assert.deepEqual(await capture("linux", undefined, empty), { kind: "no-tool" });
    assert.deepEqual(await capture("darwin", undefined, empty), { kind: "no-tool" });
  });

  it("ends a tool that hangs, with the programs that it started", async () => {
    const pids = join(folder, "pids");
    stub("scrot", "sleep 1000 &", `echo "$! $$" > "${pids}"`, "wait");
    const controller = new AbortController();
    const capturing = capture("linux", controller.signal);
    while (!existsSync(pids) || readFileSync(pids, "utf8").trim() === "") {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    controller.abort(new Error("canceled"));
    assert.deepEqual(await capturing, { kind: "canceled" });
    const ids = readFileSync(pids, "utf8").trim().split(" ").map(Number);
    assert.equal(ids.length, 2);
    for (const pid of ids) {
      while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });

  describe("of the desktop portal", () => {
    let server: Server | undefined;
    let requests: string[];
    afterEach(() => server?.close());

    /**
     * Starts a session bus with a portal that answers with a code and a file, or rejects the call.
     */
    async function portal(answer: { code: number; uri?: string } | "no-service") {
      requests = [];
      const path = join(folder, "bus");
      server = createServer((socket) => {
        let isOpen = false;
        socket.on("data", (data) => {
          if (!isOpen) {
            isOpen = data.includes("BEGIN");
            if (data.includes("AUTH EXTERNAL")) socket.write("OK 0123456789abcdef\r\n");
            if (!isOpen) return;
          }
          for (const { serial, member, token } of callsIn(data)) {
            requests.push(member);
            if (member === "Hello") socket.write(returned(serial, "s", text(":1.7")));
            if (member === "AddMatch") socket.write(returned(serial, "", Buffer.alloc(0)));
            if (member !== "Screenshot") continue;
            if (answer === "no-service") socket.write(refused(serial));
            else {
              const handle = `/org/freedesktop/portal/desktop/request/1_7/${token}`;
              socket.write(returned(serial, "o", text(handle)));
              socket.write(response(handle, answer.code, answer.uri));
            }
          }
        });
        socket.on("error", () => undefined);
      });
      await new Promise<void>((resolve) => server?.listen(path, resolve));
      return { DBUS_SESSION_BUS_ADDRESS: `unix:guid=00,path=${path}` };
    }

    it("uses the portal first, and removes its file", async () => {
      stub("scrot", "exit 3");
      const env = await portal({ code: 0, uri: pathToFileURL(picture).href });
      const result = await capture("linux", undefined, env);
      assert.deepEqual(result.kind === "captured" && Buffer.from(result.bytes), bytes);
      assert.equal(existsSync(picture), false);
      assert.deepEqual(requests, ["Hello", "AddMatch", "Screenshot"]);
    });

    it("reports nothing if the user cancels in the portal", async () => {
      stub("scrot", lastArgument, `cp "${picture}" "$file"`);
      assert.deepEqual(await capture("linux", undefined, await portal({ code: 1 })), {
        kind: "canceled",
      });
    });

    it("uses a tool if the bus has no portal", async () => {
      stub("scrot", lastArgument, `cp "${picture}" "$file"`);
      assert.equal(
        (await capture("linux", undefined, await portal("no-service"))).kind,
        "captured",
      );
    });

    it("uses a tool if there is no bus", async () => {
      stub("scrot", lastArgument, `cp "${picture}" "$file"`);
      const env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder, "nowhere")}` };
      assert.equal((await capture("linux", undefined, env)).kind, "captured");
    });

    it("names a portal that fails if there is no other tool", async () => {
      assert.deepEqual(
        await capture("linux", undefined, { ...(await portal({ code: 2 })), PATH: folder }),
        {
          kind: "failed",
          tool: "xdg-desktop-portal",
        },
      );
    });
  });
});

function isRunning(pid: number): boolean {
  const ids = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return /^[^Z\s]/.test(ids.stdout); // Z is a zombie, which a container may not reap.
}

/**
 * Finds the method calls in a client's bytes by their texts; the member ends each call's header.
 */
function callsIn(data: Buffer): { serial: number; member: string; token: string }[] {
  const calls = [];
  let at = data.includes("BEGIN\r\n") ? data.indexOf("BEGIN\r\n") + 7 : 0;
  while (at + 16 <= data.length) {
    const bodyLength = data.readUInt32LE(at + 4);
    const headerLength = Math.ceil((16 + data.readUInt32LE(at + 12)) / 8) * 8;
    const whole = data.toString("latin1", at, at + headerLength + bodyLength);
    const member = /Hello|AddMatch|Screenshot\0(?!.*Screenshot)/s
      .exec(whole)?.[0]
      .replace("\0", "");
    calls.push({
      serial: data.readUInt32LE(at + 8),
      member: member ?? "",
      token: /corechat[0-9a-f]{12}/.exec(whole)?.[0] ?? "",
    });
    at += headerLength + bodyLength;
  }
  return calls;
}

function text(value: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(value.length);
  return Buffer.concat([length, Buffer.from(`${value}\0`, "latin1")]);
}

const padded = (bytes: Buffer, size: number) =>
  Buffer.concat([bytes, Buffer.alloc((size - (bytes.length % size)) % size)]);

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Builds a D-Bus message from header fields, each with number, type and value. */
function message(type: number, fields: [number, string, Buffer][], body: Buffer): Buffer {
  let list = Buffer.alloc(0);
  for (const [field, signature, value] of fields) {
    list = Buffer.concat([
      padded(list, 8),
      Buffer.from([field, 1, ...Buffer.from(signature), 0]),
      value,
    ]);
  }
  const fixed = [Buffer.from([0x6c, type, 0, 1]), uint32(body.length), uint32(99)];
  return Buffer.concat([padded(Buffer.concat([...fixed, uint32(list.length), list]), 8), body]);
}

const signature = (value: string) => Buffer.from([value.length, ...Buffer.from(value), 0]);

function returned(serial: number, type: string, body: Buffer): Buffer {
  const fields: [number, string, Buffer][] = [[5, "u", uint32(serial)]];
  if (type !== "") fields.push([8, "g", signature(type)]);
  return message(2, fields, body);
}

function refused(serial: number): Buffer {
  const name = text("org.freedesktop.DBus.Error.ServiceUnknown");
  return message(
    3,
    [
      [4, "s", name],
      [5, "u", uint32(serial)],
    ],
    Buffer.alloc(0),
  );
}

/** Builds the portal's `Response` signal with a code and the file in a dictionary of variants. */
function response(path: string, code: number, uri: string | undefined): Buffer {
  const entry =
    uri === undefined
      ? Buffer.alloc(0)
      : Buffer.concat([padded(Buffer.concat([text("uri"), signature("s")]), 4), text(uri)]);
  const body = Buffer.concat([uint32(code), uint32(entry.length), entry]);
  return message(
    4,
    [
      [1, "o", text(path)],
      [2, "s", text("org.freedesktop.portal.Request")],
      [3, "s", text("Response")],
      [8, "g", signature("ua{sv}")],
    ],
    body,
  );
}
