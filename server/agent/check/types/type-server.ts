import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { API, type Diagnostic, type Snapshot } from 'typescript/unstable/async'
import { type CheckError, errorAt } from '../../check-report.ts'
import type { TreeChanges } from '../folder.ts'
import { refuseOutsideFiles } from './outside-files.ts'

const compilerScript = fileURLToPath(new URL('./compiler.sh', import.meta.url))

/**
 * Matches the app's own files, and the platform files that are generated from them or import them. The app is not the
 * cause of errors in other files.
 */
const CHECKED_PATH = /^(?:(?:web|server|shared|tests)\/.+|platform\/[^/]+)\.tsx?$/

/**
 * A TypeScript compiler that keeps running between checks of one folder. The libraries (lib.dom, React, Hono) and the platform's sources
 * are most of a cold compiler's work and the same for every app. This compiler parses them once. Only errors in the app's files are
 * reported.
 */
export class TypeServer {
  readonly #folder: string
  #api: API | null = null
  #snapshot: Snapshot | null = null

  constructor(folder: string) {
    this.#folder = folder
  }

  /** False until the compiler runs and has read a project. */
  get hasStarted(): boolean {
    return this.#snapshot !== null
  }

  async check(
    tree: ReadonlyMap<string, string>,
    target: string,
    changes: TreeChanges,
  ): Promise<CheckError[]> {
    // The compiler caches resolved packages, but the packages are now in another folder.
    if (changes.hasOtherPackages) await this.#restart()
    const program = await this.#readProject(join(target, 'tsconfig.json'), changes)
    const strangers = refuseOutsideFiles(tree, target, await program.getSourceFileNames(), changes.packages)
    if (strangers.length > 0) return strangers
    const files = [...tree.keys()].filter((path) => CHECKED_PATH.test(path)).map((path) => join(target, path))
    const found = await Promise.all(
      files.flatMap((file) => [program.getSyntacticDiagnostics(file), program.getSemanticDiagnostics(file)]),
    )
    return found.flat().map((diagnostic) => toError(tree, target, diagnostic))
  }

  async #restart(): Promise<void> {
    const [api, snapshot] = [this.#api, this.#snapshot]
    this.#api = null
    this.#snapshot = null
    await snapshot?.dispose()
    await api?.close()
  }

  async #readProject(config: string, fileChanges: TreeChanges) {
    this.#api ??= new API({ cwd: this.#folder, tsserverPath: compilerScript })
    const last = this.#snapshot
    const snapshot = await this.#api.updateSnapshot(
      last === null ? { openProjects: [config] } : { fileChanges },
    )
    this.#snapshot = snapshot
    await last?.dispose()
    const project = snapshot.getProject(config)
    if (!project) throw new Error('the compiler did not open the project')
    return project.program
  }
}

function toError(tree: ReadonlyMap<string, string>, target: string, diagnostic: Diagnostic): CheckError {
  const file = diagnostic.fileName === undefined ? 'tsconfig.json' : relative(target, diagnostic.fileName)
  const before = (tree.get(file) ?? '').slice(0, diagnostic.pos).split('\n')
  return errorAt(tree, {
    phase: 'types',
    file,
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
    code: `TS${diagnostic.code}`,
    message: diagnosticText(diagnostic, 0).replaceAll(`${target}/`, ''),
  })
}

/** Indents the chain of reasons below the message, as the compiler prints them. */
function diagnosticText({ text, messageChain = [] }: Diagnostic, depth: number): string {
  return ['  '.repeat(depth) + text, ...messageChain.map((reason) => diagnosticText(reason, depth + 1))].join(
    '\n',
  )
}
