let isWanted = false
let focusQuestions: (() => void) | null = null

/** Leads the focus to the questions: at once when they are on screen, else as soon as they are. */
export function askForAnswer(): void {
  if (focusQuestions) focusQuestions()
  else isWanted = true
}

/** The questions on screen say how they take the focus. */
export function onAskForAnswer(focus: () => void): () => void {
  focusQuestions = focus
  if (isWanted) focus()
  isWanted = false
  return () => {
    focusQuestions = null
  }
}
