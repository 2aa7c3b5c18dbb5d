export interface Undoable {
  words: string
  undo: () => Promise<void>
}

const MOST = 20

/** Undoes actions in reverse order, each only once. */
export class UndoStack {
  #done: Undoable[] = []

  push(entry: Undoable): void {
    this.#done = [...this.#done, entry].slice(-MOST)
  }

  /** Undoes this action, by default the last one. Does nothing and returns null when it was undone already. */
  async undo(entry = this.#done.at(-1)): Promise<Undoable | null> {
    if (!entry || !this.#done.includes(entry)) return null
    this.#done = this.#done.filter((other) => other !== entry)
    await entry.undo()
    return entry
  }
}
