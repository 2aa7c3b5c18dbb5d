/** Something that was done and can be taken back. */
export interface Undoable {
  words: string
  undo: () => Promise<void>
}

const MOST = 20

/** What was done last comes back first; each once. */
export class UndoStack {
  #done: Undoable[] = []

  push(entry: Undoable): void {
    this.#done = [...this.#done, entry].slice(-MOST)
  }

  /** Takes back this one, or the last; does nothing when it is taken back already. */
  async undo(entry = this.#done.at(-1)): Promise<Undoable | null> {
    if (!entry || !this.#done.includes(entry)) return null
    this.#done = this.#done.filter((other) => other !== entry)
    await entry.undo()
    return entry
  }
}
