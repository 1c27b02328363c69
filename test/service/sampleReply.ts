/**
 * Writes the reply to a plain question: states that there is no model, quotes the question, and
 * shows the possible elements of a reply. In Chinese if the question contains Chinese characters.
 */

const MAX_QUOTED_CHARACTERS = 600;

/** Returns Markdown of about 1.5 kB, the same for the same question. */
export function sampleReply(question: string): string {
  return (isChinese(question) ? CHINESE : ENGLISH).replace("QUESTION", () => quote(question));
}

export function isChinese(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}

/** Returns the text as a Markdown quote; the end of a long text is omitted. */
export function quote(text: string): string {
  const characters = Array.from(text);
  const shown =
    characters.length > MAX_QUOTED_CHARACTERS
      ? `${characters.slice(0, MAX_QUOTED_CHARACTERS).join("")} … (${characters.length} characters)`
      : text;
  return shown
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

const ENGLISH = `## Answer from the local reference service

This service has **no model**, so this text is always the same. It shows that your question was received, and what a reply can contain. You asked:

QUESTION

### What you can try

1. \`/faults\` lists failures that you can try.
2. \`/long 100\` answers with 100 kB of text.
3. Attach a *screenshot* to see its size in pixels and its SHA-256.

- [x] the request follows the specification
- [ ] a model has thought about the answer

| Part | Example |
| --- | --- |
| inline code | \`npm test\` |
| link | [example.com](https://example.com/) |
| mathematics | $e^{i\\pi} + 1 = 0$ |

\`\`\`ts
/** Greets a user by name. */
export function greet(name: string): string {
  return \`Hello, \${name}!\`;
}
\`\`\`

The same in Python:

\`\`\`python
def greet(name: str) -> str:
    """Greets a user by name."""
    return f"Hello, {name}!"
\`\`\`

$$
\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}
$$

> A quote can contain **bold**, *italic* and ~~struck~~ text, and other scripts: 你好, Grüße, नमस्ते, 🙂.

---

Ask something else, or choose *Regenerate* to get the same text again.
`;

const CHINESE = `## 本地参考服务的回答

这里**没有模型**，所以这段文字始终相同。它表示你的问题已收到，并展示回答可以包含的内容。你的问题是：

QUESTION

### 可以试试

1. \`/faults\` 列出可以按需重现的常见故障。
2. \`/long 100\` 返回 100 kB 的文字。
3. 附上一张*截图*，看看它的像素大小和 SHA-256。

- [x] 请求符合规范
- [ ] 有模型思考过答案

| 内容 | 例子 |
| --- | --- |
| 行内代码 | \`npm test\` |
| 链接 | [example.com](https://example.com/) |
| 数学 | $e^{i\\pi} + 1 = 0$ |

\`\`\`ts
/** 按名字问候。 */
export function greet(name: string): string {
  return \`你好，\${name}！\`;
}
\`\`\`

用 Python 写是这样：

\`\`\`python
def greet(name: str) -> str:
    """按名字问候。"""
    return f"你好，{name}！"
\`\`\`

$$
\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}
$$

> 引用里可以有**粗体**、*斜体*和~~删除线~~，也可以有别的文字：Grüße、नमस्ते、🙂。

---

你可以换个问题，或点击“重新生成”再次获得相同的文字。
`;
