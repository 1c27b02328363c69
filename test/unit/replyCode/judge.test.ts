/**
 * Replies whose block is right and is not the whole of the lines: nothing is written, and the reason is
 * shown. The kinds are those of a trial with replies that nobody here had seen.
 */
import assert from "node:assert/strict";
import { ReplyReader } from "../../../src/replyCode/readReply";
/**
 * Rows of name, language, file with the selection between » and «, code of the reply, and the first reason or
 * the file. ↵ is the end of a line, → a tab.
 */
const ROWS = `
a test ¦ typescript ¦ »export function slug(s) {↵  return s;↵}« ¦ test("slug", () => {↵  slug("a");↵}); ¦ gone slug
a getter ¦ typescript ¦ class A {↵»  price = 1;«↵} ¦ get total() {↵  return this.price * 2;↵} ¦ gone price
a hover style ¦ css ¦ ».a {↵  color: red;↵}« ¦ .a:hover {↵  color: blue;↵} ¦ gone .a
a view ¦ sql ¦ »CREATE TABLE orders (↵  id int↵);« ¦ CREATE VIEW paid AS↵SELECT id FROM orders; ¦ gone orders
only a guard ¦ python ¦ »def load(path):↵    text = read(path)↵    return text« ¦ if path is None:↵    raise ValueError() ¦ gone load
only a property ¦ css ¦ ».a {↵  margin: 0;↵}« ¦   color: red; ¦ gone .a
one of three methods ¦ javascript ¦ »class A {↵  a() {↵    go();↵  }↵  b() {↵    stop();↵  }↵}« ¦ class A {↵  a() {↵    run();↵  }↵} ¦ gone b
one of two keys ¦ json ¦ {↵»  "a": {↵    "x": 1,↵    "y": 2↵  }«↵} ¦   "a": {↵    "x": 3↵  } ¦ gone "y"
one of two sections ¦ toml ¦ »[a]↵x = 1↵↵[b]↵y = 2« ¦ [b]↵y = 3 ¦ gone [a]
a return with its value ¦ php ¦ function f($q) {↵»  $p = $q->get("p");↵  $i = $q->page($p);↵  return $i;«↵} ¦   $p = $q->getInt("p"); ¦ gone return $i;
lines at the depth of inner ones ¦ typescript ¦ »job().finally(() => {↵  this.next();↵});« ¦   if (this.isEmpty) this.emit("idle"); ¦ gone job().finally(() => {
a variable that is used below ¦ powershell ¦ »$files = Get-ChildItem $Path«↵foreach ($file in $files) { Remove-Item $file } ¦ Get-ChildItem $Path | Remove-Item ¦ gone $files
a type without any of its fields ¦ graphql ¦ »type Post {↵  id: ID!↵  title: String!↵}«↵ ¦ type Post {↵  comments: [Comment!]!↵}↵↵type Comment {↵  text: String!↵} ¦ gone id
a parameter that declares the field ¦ php ¦ class C {↵»  private P $p;↵↵  function __construct(P $p) {↵    $this->p = $p;↵  }«↵} ¦   function __construct(private P $p) {↵  } ¦ class C {↵  function __construct(private P $p) {↵  }↵}
a part of a line ¦ java ¦ class P {↵»        return a > 0 || force;«↵} ¦ (a > 0 && a < 10) ¦ text-gone
a changed decorator ¦ python ¦ @app.get("/a")↵»def a():↵    return 1« ¦ @app.post("/a")↵def a():↵    return 1 ¦ twice
a changed doc comment ¦ go ¦ // A returns one.↵»func A() int { return 1 }« ¦ // A returns two.↵func A() int { return 2 } ¦ twice
a diff that adds a function a second time ¦ javascript ¦ »function a() {↵  go();↵}«↵function b() {↵  stop();↵} ¦  function a() {↵-  go();↵+  run();↵ }↵+function b() {↵+  halt();↵+} ¦ twice
a diff that removes a function which is still used ¦ javascript ¦ »function a() {↵  go();↵}↵a();« ¦ -function a() {↵-  go();↵-}↵+go();↵ a(); ¦ go();↵a();
an attribute in place of its tag ¦ vue ¦ <template>↵»  <img↵    :src="url"↵  />«↵</template> ¦     loading="lazy" ¦ gone <img
lines below the end of their function ¦ lua ¦ »function start(port)↵  local s = open(port)↵  s:configure(9600)↵  s:flush()↵  return s↵end« ¦ function start(port)↵  assert(type(port) == "number")↵  -- as before↵end ¦ comment
a doc comment of three lines ¦ csharp ¦ class O↵{↵    /// <summary>↵    /// Adds.↵    /// </summary>↵»    int Add(int a) => a;«↵} ¦ /// <summary>↵/// Adds numbers.↵/// </summary>↵int Add(int a, int b) => a + b; ¦ twice
a target that needs another ¦ makefile ¦ »build:↵→go build ./...«↵ ¦ run: build↵→./app ¦ gone build
a comment for code ¦ python ¦ »def job(x):↵    a = load(x)↵    b = clean(a)↵    save(b)↵    return b« ¦ def job(x):↵    log(x)↵    # existing code↵    return b ¦ comment
another selector ¦ css ¦ .tab {↵»  color: grey;«↵} ¦ .tab,↵.tab:hover {↵  color: grey;↵} ¦ twice
a test that names the module ¦ elixir ¦ defmodule T do↵»  def f(c) do↵    c↵  end«↵end ¦ test "zero" do↵  assert T.f(0) == 0↵end ¦ gone f
all words of the lines in one ¦ typescript ¦ f(u) {↵»  if (u && u.a && u.a.c) {↵    return u.a.c;↵  }↵  return "";«↵} ¦   return u?.a?.c ?? ""; ¦ f(u) {↵  return u?.a?.c ?? "";↵}
an import and a function with a parameter "from" ¦ javascript ¦ import { a } from "a";↵↵»export function f(from, to) {↵  a(from);↵}« ¦ import { a, b } from "a";↵↵export function f(from, to) {↵  b(a(from), to);↵} ¦ import { a, b } from "a";↵↵export function f(from, to) {↵  b(a(from), to);↵}
an interface for a class ¦ csharp ¦ »class A {↵  int P;↵}« ¦ interface I {↵  int P;↵} ¦ gone A
a class as a record ¦ csharp ¦ »class A {↵  int P;↵}« ¦ record A(int P); ¦ record A(int P);
a renamed class ¦ java ¦ »class A {↵  int p;↵}« ¦ class B {↵  int p;↵} ¦ class B {↵  int p;↵}
a subclass ¦ python ¦ »class A:↵    x = 1« ¦ class B(A):↵    y = 2 ¦ gone A
a trait ¦ rust ¦ »enum A {↵  X,↵}« ¦ impl Show for A {↵  A::X => 1↵} ¦ gone A
a message ¦ proto ¦ »message A {↵  int64 id = 1;↵}« ¦ message B {↵  A a = 1;↵} ¦ gone A
another loop ¦ go ¦ f(xs)↵for i := xs {↵»  a(i)«↵} ¦ for _, x := xs {↵  a(x)↵} ¦ twice
a loop in a loop ¦ go ¦ f(xs)↵for x := xs {↵»  a(x)«↵} ¦ for y := x.all {↵  a(y)↵} ¦ f(xs)↵for x := xs {↵  for y := x.all {↵    a(y)↵  }↵}
only a further catch ¦ java ¦ »void f() {↵  g();↵}« ¦ catch (E e) {↵  h();↵} ¦ gone void f() {
one clause ¦ sql ¦ »SELECT a↵FROM b↵ORDER BY id« ¦ ORDER BY id DESC ¦ gone SELECT
no first line ¦ shellscript ¦ »#!/bin/sh↵set -e↵f() {↵  a↵}« ¦ f() {↵  b↵} ¦ gone #!/bin/sh
one of three options ¦ html ¦ »<select>↵  <option>one</option>↵  <option>two</option>↵  <option a=b>three</option>↵</select>« ¦ <select>↵  <option a=c>three</option>↵</select> ¦ gone <option>one</option>
a comment for items ¦ css ¦ ».a {↵  top: 0;↵  left: 0;↵  color: red;↵}« ¦ .a {↵  /* existing */↵  gap: 0;↵} ¦ gone top
an extended rule ¦ scss ¦ ».a {↵  top: 0;↵}« ¦ .b {↵  @extend .a;↵} ¦ gone .a
an inlined function ¦ rust ¦ »pub fn a(x: i32) -> i32 {↵  x + 1↵}↵↵fn b(x: i32) -> i32 {↵  a(x)↵}« ¦ fn b(x: i32) -> i32 {↵  1 + x↵} ¦ gone a
an extension ¦ swift ¦ »struct P {↵  var x: Int↵}« ¦ extension P: Q {↵  let y = P(x: 1)↵} ¦ gone P
a call ¦ r ¦ »f <- function(t) {↵  t↵}« ¦ curve(f, 0, 2) ¦ gone f
only a key ¦ go ¦ »var s = S{↵  Addr: a,↵  Port: b,↵}« ¦   Addr: c, ¦ gone var s = S{
a method removed ¦ javascript ¦ »class A {↵  a() {↵    go();↵  }↵  b() {↵    stop();↵  }↵}« ¦ class A {↵  a() {↵    go();↵  }↵} ¦ class A {↵  a() {↵    go();↵  }↵}
a renamed function ¦ python ¦ »def a(x):↵    return x«↵a(1) ¦ def b(x):↵    return x ¦ def b(x):↵    return x↵a(1)
an arrow function ¦ typescript ¦ »function f(xs) {↵  return g(xs);↵}« ¦ const f = (xs) => g(xs); ¦ const f = (xs) => g(xs);
one of three keys ¦ dotenv ¦ A=1↵↵»B=2↵C=3↵D=4« ¦ C=5 ¦ gone B
one of three elements ¦ typescriptreact ¦ <main>↵»  <Price v={a} />↵  <input v={b} />↵  <Total v={c} />«↵</main> ¦ <input↵  v={b}↵  aria-label="Count"↵/> ¦ gone <Price
a value for a function ¦ javascript ¦ class A {↵»  a() {↵    start();↵  }↵  b() {↵    stop();↵    start();↵  }«↵} ¦   c = 1;↵  a() {↵    this.c++;↵    start();↵  } ¦ class A {↵  c = 1;↵  a() {↵    this.c++;↵    start();↵  }↵  b() {↵    stop();↵    start();↵  }↵}
another trait ¦ rust ¦ »impl Show for A {↵  fn show(&self) {↵    self.x()↵  }↵}« ¦ impl Read for A {↵  fn read(&self) {↵    self.x()↵  }↵} ¦ gone impl Show for A
only the signature ¦ haskell ¦ »a :: Int -> Int↵a x = x + 1« ¦ a :: Num b => b -> b ¦ gone a x = x + 1
an index for a query ¦ sql ¦ »SELECT a↵FROM b;« ¦ CREATE INDEX i ON b (a); ¦ gone SELECT a
a clause above another ¦ elixir ¦ »def f(x) do↵  g(x, 1)↵end« ¦ def f(nil), do: :error ¦ gone def f(x) do
a constant that is opened ¦ python ¦ »import csv↵↵P = "a"↵↵↵def f():↵    return csv.reader(open(P))« ¦ def rows():↵    with open(P) as f:↵        return list(f)↵↵↵def f():↵    return csv.reader(rows()) ¦ gone P
a field again ¦ csharp ¦ class A↵{↵    int a;↵↵    A(int b) => a = b;↵↵»    int F() => a;«↵} ¦     int a;↵    int c;↵    int F() => a + 1; ¦ twice
a comment for the rest of a loop ¦ csharp ¦ »foreach (var a in b)↵{↵    total += a.Size;↵}« ¦ foreach (var a in b)↵{↵    if (a.Gone) continue;↵    // the rest remains↵} ¦ comment
two conditions of a target ¦ makefile ¦ »a: b« ¦ a: b↵c: X = 1↵c: a ¦ a: b↵c: X = 1↵c: a
a property as a function ¦ swift ¦ »var a: Int {↵  b↵}« ¦ func a(c: Int) -> Int {↵  b + c↵} ¦ func a(c: Int) -> Int {↵  b + c↵}
the body of a C function ¦ c ¦ »struct a *f(int b)↵{↵    struct a *c = malloc(b);↵    c->d = 0;↵    c->e = 0;↵    return c;↵}« ¦ struct a *f(int b)↵{↵    struct a *c = calloc(1, b);↵    return c;↵} ¦ struct a *f(int b)↵{↵    struct a *c = calloc(1, b);↵    return c;↵}
the namespace around ¦ cpp ¦ namespace a {↵↵»int f() {↵  return 1;↵}«↵↵int g();↵↵}  // namespace a ¦ namespace a {↵↵int f() {↵  return 2;↵}↵↵}  // namespace a ¦ namespace a {↵↵int f() {↵  return 2;↵}↵↵int g();↵↵}  // namespace a
a statement for methods ¦ javascript ¦ class A {↵»  a() {↵    start();↵  }↵  b() {↵    return c;↵  }«↵} ¦ return d; ¦ gone a() {
a part of one of two rules ¦ css ¦ ».a {↵  top: 0;↵  left: 0;↵}↵↵.b {↵  top: 1px;↵}« ¦ .a {↵  top: 0;↵} ¦ gone .b {
an import for a group ¦ go ¦ import (↵→"errors"↵)↵↵»func f() error { return errors.New("a") }« ¦ import "fmt"↵↵func f() error { return fmt.Errorf("a") } ¦ import (↵→"errors"↵→"fmt"↵)↵↵func f() error { return fmt.Errorf("a") }
an enum as a union ¦ typescript ¦ »enum Color {↵  Red,↵  Blue,↵}« ¦ type Color = "red" | "blue"; ¦ type Color = "red" | "blue";
another column ¦ sql ¦ CREATE TABLE a (↵»  b TEXT NOT NULL,«↵  c INT↵); ¦   d CHAR(3) NOT NULL, ¦ gone b
another instruction ¦ dockerfile ¦ FROM a↵»EXPOSE 80«↵CMD b ¦ RUN useradd c↵USER c ¦ gone EXPOSE
another operator ¦ cpp ¦ struct V {↵»  V operator-(V o) const { return V(x - o.x); }«↵}; ¦   V operator*(int k) const { return V(x * k); } ¦ gone operator-
another scope ¦ ruby ¦ class A↵»  scope :b, -> { where(c: 1) }«↵end ¦   scope :d, -> { where(e: 2) } ¦ gone scope :b
another variable of a list ¦ yaml ¦ env:↵»  - name: HOST↵    value: a«↵  - name: PORT↵    value: "1" ¦   - name: PASSWORD↵    valueFrom: b ¦ gone name: HOST
a key with another name ¦ yaml ¦ a:↵»  size: 3«↵  b: 1 ¦   count: 3 ¦ a:↵  count: 3↵  b: 1
a key with a longer name ¦ yaml ¦ a:↵»  timeout: 3«↵  b: 1 ¦   timeoutMs: 3000 ¦ a:↵  timeoutMs: 3000↵  b: 1
two names at once ¦ javascript ¦ f((q) => {↵»  const a = q.a;↵  const b = q.b;«↵  g(a, b);↵}); ¦   const { a, b } = q;↵  if (!a) return; ¦ f((q) => {↵  const { a, b } = q;↵  if (!a) return;↵  g(a, b);↵});
two names with a default ¦ javascript ¦ f((q) => {↵»  const a = q.a ?? 1;↵  const b = q.b;«↵  g(a, b);↵}); ¦   const { a = 1, b } = q; ¦ f((q) => {↵  const { a = 1, b } = q;↵  g(a, b);↵});
parameters on lines of their own ¦ php ¦ class A↵{↵»    private $b;↵↵    public function __construct(B $b)↵    {↵        $this->b = $b;↵    }«↵} ¦     public function __construct(↵        private readonly B $b,↵    ) {↵    } ¦ class A↵{↵    public function __construct(↵        private readonly B $b,↵    ) {↵    }↵}
a call in another one ¦ dart ¦ children: [↵»  Text('a'),«↵  Text('b'),↵], ¦   Padding(↵    child: Text('a', style: c),↵  ), ¦ children: [↵  Padding(↵    child: Text('a', style: c),↵  ),↵  Text('b'),↵],
`;

function read(
  languageId: string,
  file: string,
  reply: string,
  part?: { before: string; after: string },
) {
  const [before = "", target = "", after = ""] = file.split(/\n?[»«]\n?/);
  const linesOf = (text: string) => (text === "" ? [] : text.split("\n"));
  const lines = { before: linesOf(before), target: linesOf(target), after: linesOf(after) };
  const style = { base: /^ */.exec(target)?.[0] ?? "", usesTabs: false, size: 2 };
  const reader = new ReplyReader({
    ...lines,
    languageId,
    isProse: false,
    style,
    selectedPart: part,
  });
  reader.push(reply);
  reader.end();
  return { reader, ...lines };
}

describe("the judge of a result", () => {
  const rowsOf = (table: string) => table.replaceAll("→", "\t").trim().split("\n");
  for (const row of rowsOf(ROWS)) {
    const [name = "", languageId = "", file = "", code = "", expected = ""] = row
      .split(" ¦ ")
      .map((cell) => cell.replaceAll("↵", "\n"));
    it(`says ${expected.split("\n")[0]}: ${name}`, () => {
      const { reader, before, after } = read(languageId, file, `\`\`\`\n${code}\n\`\`\`\n`);
      const [reason] = reader.reasons;
      const names = reason?.kind === "gone" ? ` ${reason.names[0]}` : "";
      const { lines = [], above = 0, below = 0 } = reader.candidate ?? {};
      const text = [...before.slice(0, before.length - above), ...lines, ...after.slice(below)];
      assert.equal(reason === undefined ? text.join("\n") : `${reason.kind}${names}`, expected);
    });
  }

  it("puts the new text of a selected part between the rest of the line", () => {
    const { reader } = read(
      "css",
      "».a { margin: 0 auto; color: red; }«",
      "```css\n8px auto 0;\n```\n",
      {
        before: ".a { margin: ",
        after: "; color: red; }",
      },
    );
    assert.deepEqual(reader.candidate?.lines, [".a { margin: 8px auto 0; color: red; }"]);
  });

  it("replaces a part of the lines that one block repeats by the lines of the other block", () => {
    const reply =
      "Change\n```py\n    return s / n\n```\nto\n```py\n    return s / n if n else 0\n```\n";
    const { reader } = read("python", "»def avg(s, n):\n    log(s)\n    return s / n«", reply);
    const changed = ["def avg(s, n):", "    log(s)", "    return s / n if n else 0"];
    assert.deepEqual(reader.candidate?.lines, changed);
  });

  it("asks about a name that only another block declares", () => {
    const reply =
      "```py\ndef f(x):\n    return tidy(x)\n```\nand\n```py\ndef tidy(x):\n    return x\n```\n";
    const { reader } = read("python", "»def f(x):\n    return x.strip()«", reply);
    assert.deepEqual(reader.reasons, [{ kind: "missing", name: "tidy" }]);
  });

  it("shows first the lines below the selection, where they would take its place", () => {
    const reply = '```ts\ntest("slug", () => {\n  slug("a");\n});\n```\n';
    const { reader } = read("typescript", "»export function slug(s) {\n  return s;\n}«", reply);
    assert.equal(reader.readings[0]?.isBelow, true);
  });
});
