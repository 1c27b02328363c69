import { Component, createRef } from "preact";
import type { Disposable } from "../../base/disposables";
import { MESSAGE_GROUP } from "../../protocol/views";
import type { MessageModel } from "../state/store";
import { Message } from "./message";
import { GROUP_CLASS, type ViewportObserver } from "./viewportObserver";

/** Estimated heights of messages before their first layout, in CSS pixels. */
const LIKELY_HEIGHT_PX = { user: 76, assistant: 260 } as const;

export type MessageGroupModels = readonly MessageModel[];

/** Splits messages into groups; reuses the objects of unchanged groups in `before`. */
export function groupsOf(
  messages: readonly MessageModel[],
  before: readonly MessageGroupModels[],
): readonly MessageGroupModels[] {
  const groups: MessageGroupModels[] = [];
  const byFirst = new Map(before.map((group) => [group[0], group]));
  for (let start = 0; start < messages.length; start += MESSAGE_GROUP) {
    const group = messages.slice(start, start + MESSAGE_GROUP);
    const earlierGroup = byFirst.get(group[0]);
    const isSame =
      earlierGroup?.length === group.length &&
      group.every((model, index) => model === earlierGroup[index]);
    groups.push(isSame ? earlierGroup : group);
  }
  return groups;
}

interface MessageGroupProps {
  readonly models: MessageGroupModels;
  readonly viewport: ViewportObserver;
  /** True if the messages are mounted also far from the viewport. */
  readonly isNeeded: boolean;
}

interface MessageGroupState {
  readonly isMounted: boolean;
}

/**
 * Messages that are mounted once the group is needed or near the viewport, and then stay. The browser
 * skips the group as a block while it is not visible, so that its work per frame grows with the groups.
 * `shouldComponentUpdate` skips unchanged groups.
 */
export class MessageGroup extends Component<MessageGroupProps, MessageGroupState> {
  override state: MessageGroupState = { isMounted: false };
  private readonly elementRef = createRef<HTMLDivElement>();
  private following: Disposable | undefined;

  static override getDerivedStateFromProps(
    { isNeeded }: MessageGroupProps,
    { isMounted }: MessageGroupState,
  ): MessageGroupState {
    return { isMounted: isMounted || isNeeded };
  }

  override shouldComponentUpdate(
    { models }: MessageGroupProps,
    { isMounted }: MessageGroupState,
  ): boolean {
    return models !== this.props.models || isMounted !== this.state.isMounted;
  }

  override componentDidMount(): void {
    this.follow();
  }

  override componentDidUpdate(): void {
    this.follow();
  }

  override componentWillUnmount(): void {
    this.following?.dispose();
  }

  override render({ models }: MessageGroupProps, { isMounted }: MessageGroupState) {
    const heightPx = models.reduce((sum, { role }) => sum + LIKELY_HEIGHT_PX[role], 0);
    return (
      <div
        ref={this.elementRef}
        class={GROUP_CLASS}
        data-first-id={isMounted ? undefined : models[0]?.id}
        style={
          isMounted ? { containIntrinsicHeight: `auto ${heightPx}px` } : { height: `${heightPx}px` }
        }
      >
        {isMounted && models.map((model) => <Message key={model.id} model={model} />)}
      </div>
    );
  }

  /** Waits for the viewport while the messages are not mounted. */
  private follow(): void {
    const element = this.elementRef.current;
    if (this.state.isMounted) {
      this.following?.dispose();
      this.following = undefined;
    } else if (element !== null) {
      this.following ??= this.props.viewport.follow(element, {
        comeNear: () => this.setState({ isMounted: true }),
        goFar: () => undefined,
      });
    }
  }
}
