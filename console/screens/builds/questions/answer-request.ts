let isFocusWanted = false
let focusQuestions: (() => void) | null = null

/** Focuses the questions of a build now, or as soon as they are on screen. */
export function askForAnswer(): void {
  if (focusQuestions) focusQuestions()
  else isFocusWanted = true
}

/** Registers a function that focuses the questions on screen. Returns a function that removes it. */
export function onAskForAnswer(focus: () => void): () => void {
  focusQuestions = focus
  if (isFocusWanted) focus()
  isFocusWanted = false
  return () => {
    focusQuestions = null
  }
}
