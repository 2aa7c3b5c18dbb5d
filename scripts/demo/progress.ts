import { styleText } from 'node:util'
import { formatMs } from '../lib.ts'

export const heading = (text: string) => void process.stdout.write(`\n${styleText('bold', text)}\n`)

/** Prints one line per finished step, with the time since the previous one. */
export class Progress {
  #last = performance.now()

  done(what: string): void {
    const now = performance.now()
    const took = styleText('dim', formatMs(now - this.#last))
    this.#last = now
    process.stdout.write(`  ${styleText('green', '✔')} ${what} ${took}\n`)
  }

  note(what: string): void {
    process.stdout.write(`  ${styleText('dim', '·')} ${what}\n`)
  }
}

export interface Frame {
  type: string
  [field: string]: unknown
}

export class BuildReporter {
  readonly #progress: Progress
  #text = ''
  #end: Frame | null = null

  constructor(progress: Progress) {
    this.#progress = progress
  }

  take(frame: Frame): void {
    switch (frame.type) {
      case 'run':
        return this.#progress.note(`Built by ${String(frame['generatedBy'])}`)
      case 'delta':
        this.#text += typeof frame['text'] === 'string' ? frame['text'] : ''
        return
      case 'tool':
        return this.#flushText()
      case 'file':
        return this.#progress.note(
          `${String(frame['op'])} ${String(frame['path'])} ${styleText('green', `+${String(frame['added'])}`)} ${styleText('red', `-${String(frame['removed'])}`)}`,
        )
      case 'check':
        return this.#progress.note(
          `${frame['ok'] === true ? styleText('green', 'ok ') : styleText('red', 'red')} ${String(frame['phase'])} ${styleText('dim', formatMs(Number(frame['ms'])))}`,
        )
      case 'preview':
        if (typeof frame['url'] === 'string') this.#progress.done(`Preview at ${frame['url']}`)
        else this.#progress.note(`No preview: ${String(frame['error'])}`)
        return
      case 'done':
      case 'error':
        this.#flushText()
        this.#end = frame
    }
  }

  #flushText(): void {
    for (const line of this.#text.trim().split('\n'))
      if (line !== '') this.#progress.note(styleText('dim', line))
    this.#text = ''
  }

  /** Throws with the reason unless the build ended with a commit. */
  requireGreen(): void {
    const end = this.#end
    if (end === null) throw new Error('The build stream ended without an end.')
    if (end.type === 'error')
      throw new Error(`The build failed (${String(end['kind'])}): ${String(end['message'])}`)
    if (end['status'] !== 'built')
      throw new Error(`Nothing was built (${String(end['status'])}): ${String(end['message'] ?? '')}`)
    this.#progress.done(`Green, committed as ${String(end['sha']).slice(0, 7)}: ${String(end['summary'])}`)
  }
}
