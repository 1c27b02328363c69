import { usePanel } from "../state/panelContext";
import { firstWords } from "../state/questionWords";
import type { ReplyModel, UserModel } from "../state/store";
import { Thumbnail } from "../pictures/attach/thumbnail";
import { Icon } from "../ui/iconButton";

/**
 * The question of a reply, at the top of the transcript while the reply is read. The style sheet
 * shows the band once the question has left the top. Its texts are attributes, which the style sheet
 * draws: searching, copying and screen readers find the question once, in its own message.
 */
export function QuestionBand({ model }: { readonly model: ReplyModel }) {
  const { store } = usePanel();
  const question = model.question.value;
  if (question === undefined || !store.isQuestionSticky.value) return null;
  return (
    <div class="question-band-track" aria-hidden="true">
      <div class="question-band">
        <Band question={question} />
      </div>
    </div>
  );
}

function Band({ question }: { readonly question: UserModel }) {
  const { store, navigation } = usePanel();
  const view = question.view.value;
  const picture = view.chips.find((chip) => chip.picture)?.picture;
  return (
    // The keys for it are those of the commands.
    <div
      class="question-band-content"
      // A focus in here would be invisible to screen readers.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => navigation.show({ messageId: question.id })}
    >
      {picture && (
        <span class="question-band-picture">
          <Thumbnail picture={picture} onLost={() => undefined} />
        </span>
      )}
      <span class="question-band-words" data-words={firstWords(view)} />
      <span
        class="question-band-number"
        data-words={`${question.number.value}/${store.questionCount.value}`}
      />
      <span
        class="question-band-outline"
        onClick={(event) => {
          event.stopPropagation();
          navigation.openOutline();
        }}
      >
        <Icon name="chevron-down" />
      </span>
    </div>
  );
}
