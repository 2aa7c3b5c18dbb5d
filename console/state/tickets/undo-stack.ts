/** A change that can be undone, with the sentence that names it in the message about the undo. */
export interface UndoableChange {
  words: string
  undo: () => Promise<void>
}

const UNDOS_MAX = 20

/** Undoes actions in reverse order, each only once. */
export class UndoStack {
  #entries: UndoableChange[] = []

  push(entry: UndoableChange): void {
    this.#entries = [...this.#entries, entry].slice(-UNDOS_MAX)
  }

  /** Undoes this action, by default the last one. Does nothing and returns null when it was undone already. */
  async undo(entry = this.#entries.at(-1)): Promise<UndoableChange | null> {
    if (!entry || !this.#entries.includes(entry)) return null
    this.#entries = this.#entries.filter((other) => other !== entry)
    await entry.undo()
    return entry
  }
}
