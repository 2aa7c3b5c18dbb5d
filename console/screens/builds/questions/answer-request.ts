let isWanted = false
let focusQuestions: (() => void) | null = null

/** Moves the focus to the questions, now or as soon as they are on screen. */
export function askForAnswer(): void {
  if (focusQuestions) focusQuestions()
  else isWanted = true
}

/** Registers how the questions on screen take the focus; the returned function ends that. */
export function onAskForAnswer(focus: () => void): () => void {
  focusQuestions = focus
  if (isWanted) focus()
  isWanted = false
  return () => {
    focusQuestions = null
  }
}
