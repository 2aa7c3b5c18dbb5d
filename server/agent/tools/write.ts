import { diffLines } from 'diff'
import * as z from 'zod'
import { applyEdit, storedText } from '../edit.ts'
import { isLocked, pathProblem, placeProblem } from '../tree.ts'
import type { FileChange, Workspace } from '../workspace.ts'
import { nearest } from './read.ts'
import { describeSyntax } from './syntax.ts'
import { type ToolOutcome, agentTool, failed } from './tool.ts'

// The limits of an app ("The generated app" in the agent's design): what one Worker can reasonably hold.
const FILE_BYTES_MAX = 200_000
const TREE_BYTES_MAX = 2_000_000
const FILES_MAX = 200
const SHOWN_BYTES_MAX = 60_000

/** Tools that change the tree: write_file, edit_file, delete_file. */
export function writeTools(workspace: Workspace) {
  return [
    agentTool({
      name: 'write_file',
      description: 'Creates a file or replaces a whole file. Read a file before you replace it.',
      input: z.object({ path: z.string(), content: z.string() }),
      isQuick: true,
      run: ({ path, content }) => writeFile(workspace, path, content),
    }),
    agentTool({
      name: 'edit_file',
      description:
        'Replaces `old` by `new` in a file. `old` must occur exactly once; take enough lines around it. `all: true` replaces every occurrence.',
      input: z.object({ path: z.string(), old: z.string(), new: z.string(), all: z.boolean().optional() }),
      isQuick: true,
      run: ({ path, ...edit }) => editFile(workspace, path, edit),
    }),
    agentTool({
      name: 'delete_file',
      description: 'Deletes a file.',
      input: z.object({ path: z.string() }),
      isQuick: true,
      run: ({ path }) => deleteFile(workspace, path),
    }),
  ]
}

async function writeFile(workspace: Workspace, path: string, content: string): Promise<ToolOutcome> {
  const before = workspace.tree.get(path)
  const refused = refusePath(path) ?? refusePlace(workspace, path) ?? refuseText(workspace, path, content)
  if (refused !== null) return refused
  if (before !== undefined && !workspace.known.has(path)) {
    return failed('not_read', `${path} exists and you have not read it; read it first, or use edit_file`)
  }
  const text = storedText(content)
  if (before === text) return failed('unchanged', `${path} already has this text`)
  workspace.set(path, text)
  const lines = text.split('\n').length - 1
  const head = `${before === undefined ? 'Created' : 'Replaced'} ${path} (${lines} lines).`
  return {
    ok: true,
    text: `${head}\n${await describeSyntax(path, text)}`,
    change: changeOf(path, 'write', before, text),
  }
}

async function editFile(
  workspace: Workspace,
  path: string,
  edit: { old: string; new: string; all?: boolean | undefined },
): Promise<ToolOutcome> {
  const refused = refusePath(path)
  if (refused !== null) return refused
  const before = workspace.tree.get(path)
  if (before === undefined) return failed('not_found', `${path} does not exist.${nearest(workspace, path)}`)
  const edited = applyEdit(before, edit)
  if (!edited.ok) return withFile(workspace, path, before, failed(edited.code, edited.message))
  const text = storedText(edited.text)
  const tooLarge = refuseText(workspace, path, text)
  if (tooLarge !== null) return tooLarge
  workspace.set(path, text)
  return {
    ok: true,
    text: `Edited ${path}.\n${around(text, edited.fromLine, edited.toLine)}\n${await describeSyntax(path, text)}`,
    change: changeOf(path, 'edit', before, text),
  }
}

function deleteFile(workspace: Workspace, path: string): ToolOutcome {
  const before = workspace.tree.get(path)
  // A file from before a rule for paths existed must be removable, or its app never passes the check again.
  const refused = before === undefined || isLocked(path) ? refusePath(path) : null
  if (refused !== null) return refused
  if (before === undefined) return failed('not_found', `${path} does not exist.${nearest(workspace, path)}`)
  workspace.delete(path)
  return { ok: true, text: `Deleted ${path}.`, change: changeOf(path, 'delete', before, '') }
}

function refusePath(path: string): ToolOutcome | null {
  if (isLocked(path)) return failed('locked', `${path} is computed by the platform and cannot be changed`)
  const problem = pathProblem(path)
  return problem === null ? null : failed('invalid_path', problem)
}

function refusePlace(workspace: Workspace, path: string): ToolOutcome | null {
  const problem = placeProblem(path, workspace.tree)
  return problem === null ? null : failed('invalid_path', `${path} ${problem}`)
}

function refuseText(workspace: Workspace, path: string, text: string): ToolOutcome | null {
  if (text.includes('\0')) return failed('not_text', 'files are text; NUL is not allowed')
  const bytes = Buffer.byteLength(text)
  if (bytes > FILE_BYTES_MAX)
    return failed('too_large', `${path} would have ${bytes} bytes; the most is 200 kB`)
  if (!workspace.tree.has(path) && workspace.tree.size >= FILES_MAX) {
    return failed('too_large', `an app has at most ${FILES_MAX} files`)
  }
  const others = [...workspace.tree].reduce((sum, [p, t]) => sum + (p === path ? 0 : Buffer.byteLength(t)), 0)
  return others + bytes > TREE_BYTES_MAX ? failed('too_large', 'an app has at most 2 MB of source') : null
}

/** After two failed edits of a file the model gets to see the file: its memory of it is wrong. */
function withFile(workspace: Workspace, path: string, text: string, outcome: ToolOutcome): ToolOutcome {
  if (workspace.countEditFailure(path) < 2) return outcome
  if (Buffer.byteLength(text) > SHOWN_BYTES_MAX) return outcome
  workspace.known.add(path)
  return { ...outcome, text: `${outcome.text}\nUse write_file. The file is now:\n${text}` }
}

function around(text: string, from: number, to: number): string {
  const lines = text.split('\n')
  return lines
    .slice(Math.max(0, from - 4), to + 3)
    .join('\n')
    .slice(0, 4_000)
}

function changeOf(path: string, op: FileChange['op'], before: string | undefined, after: string): FileChange {
  const { added, removed } = countChanges(before ?? '', after)
  return { path, op, bytes: Buffer.byteLength(after), added, removed }
}

/** Lines added and removed between two texts. */
export function countChanges(before: string, after: string): { added: number; removed: number } {
  // Two texts with nothing in common are not worth the exact answer.
  const parts = diffLines(before, after, { maxEditLength: 2_000 })
  if (parts === undefined)
    return { added: after.split('\n').length - 1, removed: before.split('\n').length - 1 }
  return {
    added: parts.reduce((sum, part) => sum + (part.added ? part.count : 0), 0),
    removed: parts.reduce((sum, part) => sum + (part.removed ? part.count : 0), 0),
  }
}
