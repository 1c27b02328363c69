/**
 * Base of the views whose blocks contain blocks. Keeps the views of unfinished children only and
 * updates them from the newest tree.
 */
import type { Block, ContainerBlock } from "../markdown/blockTree";
import type { RenderContext } from "./renderContext";
import { sanitizeElement } from "./sanitize";
import type { Pass, View, IndexedView } from "./view";

export abstract class ContainerView implements View {
  readonly children: View[] = [];

  constructor(
    readonly context: RenderContext,
    readonly element: Element,
  ) {}

  abstract accepts(block: Block): boolean;

  update(block: ContainerBlock, pass: Pass): void {
    this.reconcile(block.children, pass);
  }

  protected create(block: Block): View {
    return this.context.createView(this.context, this.element, block, false);
  }

  protected acceptsChild(view: View, block: Block): boolean {
    return view.accepts(block);
  }

  /** Updates the unfinished children to these blocks. */
  protected reconcile(blocks: readonly Block[], pass: Pass): void {
    for (const [index, block] of blocks.entries()) {
      const isLast = index === blocks.length - 1;
      if (isLast && pass.isFinishing && !("children" in block)) return;
      let view = this.children[index];
      if (view === undefined || !this.acceptsChild(view, block)) {
        this.removeFrom(index);
        view = this.create(block);
        this.children.push(view);
      }
      view.update(block, isLast ? pass : { ...pass, draft: undefined, isFinishing: false });
    }
    if (!pass.isFinishing) this.removeFrom(blocks.length);
  }

  protected removeFrom(index: number): void {
    for (const view of this.children.splice(index)) view.remove();
  }

  /** Finishes the first `count` children and removes their views. Their nodes stay. */
  finishChildren(count: number): void {
    for (const view of this.children.splice(0, count)) view.finish();
  }

  remove(): void {
    this.removeFrom(0); // A heading inside places no later one.
    this.element.remove();
  }

  finish(): void {
    this.finishChildren(this.children.length);
    sanitizeElement(this.element);
  }

  codeViews(): IndexedView[] {
    return this.children.flatMap((child) => child.codeViews?.() ?? []);
  }
}
