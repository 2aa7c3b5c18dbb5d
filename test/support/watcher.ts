import assert from 'node:assert/strict'
import type { Person } from './client.ts'
import { type Frame, framesOf } from './frames.ts'

/** Watches the build of a ticket. Reconnects as documented, with the id of the run and the number of the last frame. */
export class Watcher {
  readonly frames: Frame[] = []
  #person: Person
  readonly #route: string
  #run: string | null = null
  #seq = 0

  constructor(person: Person, place: string) {
    this.#person = person
    this.#route = `POST ${place}/build/stream`
  }

  /** Reconnects to another process of the service from now on. */
  moveTo(person: Person): void {
    this.#person = person
  }

  /** Starts the build or reconnects to it, and reads until the stream ends or is cut off. `onFrame` gets each frame as it arrives. */
  async read(onFrame: (frame: Frame) => void = () => {}): Promise<void> {
    const body = this.#run === null ? {} : { run: this.#run, after: this.#seq }
    const answer = await this.#person.request(this.#route, body)
    try {
      for await (const frame of framesOf(answer)) {
        this.frames.push(frame)
        if (frame.type === 'run') this.#run = String(frame['run'])
        this.#seq = frame.seq ?? this.#seq
        onFrame(frame)
      }
    } catch (error) {
      // A TypeError means a broken connection, as when the service dies. Rethrow any other error, such as a refusal.
      if (!(error instanceof TypeError)) throw error
    }
  }

  /** Returns the numbered frames of each run, in the order of the runs. Asserts that the numbers of each run are 1..n. */
  runs(): Map<string, Frame[]> {
    const runs = new Map<string, Frame[]>()
    let current: Frame[] = []
    for (const frame of this.frames) {
      if (frame.seq === undefined) continue
      if (frame.type === 'run') runs.set(String(frame['run']), (current = []))
      assert.equal(frame.seq, current.length + 1, `a gap or a double at ${JSON.stringify(frame)}`)
      current.push(frame)
    }
    return runs
  }
}
