import { createHash } from 'node:crypto'
import type { CheckReport, Picture } from '../check-report.ts'
import { type AppTree, completeTree } from '../source/tree.ts'
import { SeenFiles } from './seen-files.ts'

export interface FileChange {
  path: string
  op: 'write' | 'edit' | 'delete'
  bytes: number
  added: number
  removed: number
}

/**
 * The files of the app that the agent may change. The other files of the app are locked: they are generated from these files,
 * and the agent cannot write them.
 */
export class Workspace {
  readonly base: AppTree
  /** The capabilities that are enabled; they decide which files are locked. */
  readonly enabled: Set<string>
  /** A write to an existing file that the model has not seen is refused. */
  seen: SeenFiles
  readonly #editFailures = new Map<string, number>()
  readonly #reports = new Map<string, CheckReport>()
  #lastReport: CheckReport | null = null
  #pictures: Picture[] = []
  #tree: AppTree
  #treeHash: string | null = null
  #completeTree: AppTree | null = null

  constructor(options: { base: AppTree; tree: AppTree; enabled: Iterable<string>; seen?: SeenFiles }) {
    this.base = options.base
    this.#tree = options.tree
    this.enabled = new Set(options.enabled)
    this.seen = options.seen ?? new SeenFiles([])
  }

  get tree(): AppTree {
    return this.#tree
  }

  get isChanged(): boolean {
    return this.#tree.size !== this.base.size || this.changed.length > 0
  }

  get changed(): string[] {
    return [...this.#tree].filter(([path, text]) => this.base.get(path) !== text).map(([path]) => path)
  }

  /** Trees with the same hash are equal, so a check of the tree need not be repeated. */
  get hash(): string {
    if (this.#treeHash === null) {
      const hash = createHash('sha256').update([...this.enabled].sort().join(','))
      for (const path of [...this.#tree.keys()].sort()) {
        const text = this.#tree.get(path) ?? ''
        hash.update(`\0${path}\0${Buffer.byteLength(text)}\0`).update(text)
      }
      this.#treeHash = hash.digest('hex')
    }
    return this.#treeHash
  }

  get complete(): AppTree {
    this.#completeTree ??= completeTree(this.#tree, this.enabled)
    return this.#completeTree
  }

  set(path: string, text: string): void {
    this.#replace(new Map(this.#tree).set(path, text))
    this.seen.restartReading(path)
  }

  delete(path: string): void {
    const next = new Map(this.#tree)
    next.delete(path)
    this.#replace(next)
  }

  enable(key: string): void {
    this.enabled.add(key)
    this.#replace(this.#tree)
  }

  /** Returns how often edits of this file have failed; at the second failure the model gets the whole file. */
  countEditFailure(path: string): number {
    const count = (this.#editFailures.get(path) ?? 0) + 1
    this.#editFailures.set(path, count)
    return count
  }

  reportOf(hash: string): CheckReport | undefined {
    return this.#reports.get(hash)
  }

  get lastReport(): CheckReport | null {
    return this.#lastReport
  }

  keepReport(hash: string, { pictures = [], ...report }: CheckReport): void {
    this.#reports.set(hash, report)
    this.#lastReport = report
    this.#pictures = pictures
  }

  /**
   * Returns the screenshots of the newest check only once, because screenshots in the conversation would be sent again
   * with every later call.
   */
  takePictures(): Picture[] {
    return this.#pictures.splice(0)
  }

  #replace(tree: AppTree): void {
    this.#tree = tree
    this.#treeHash = null
    this.#completeTree = null
  }
}
