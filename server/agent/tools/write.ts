import * as z from 'zod'
import { type EditRequest, storedText } from '../source/edit.ts'
import { type LineCounts, countAllLines } from '../text/line-counts.ts'
import type { TextWorkers } from '../text/workers.ts'
import { isLocked, pathProblem, pathConflict } from '../source/tree.ts'
import type { FileChange, Workspace } from './workspace.ts'
import { describeSimilarPaths } from './read.ts'
import { type ToolOutcome, agentTool, toolFailure } from './tool.ts'

// Larger apps would not fit into one Worker.
const FILE_BYTES_MAX = 200_000
const TREE_BYTES_MAX = 2_000_000
const FILES_MAX = 200
const FILE_IN_RESULT_BYTES_MAX = 60_000
const PATH_CHARS_SHOWN = 120

/** Tools that change the tree: write_file, edit_file, delete_file. */
export function writeTools(workspace: Workspace, textWorkers: TextWorkers) {
  const files = { workspace, textWorkers }
  return [
    agentTool({
      name: 'write_file',
      description: 'Creates a file or replaces a whole file. Read a file before you replace it.',
      input: z.object({ path: z.string(), content: z.string() }),
      isQuick: true,
      isRepeatable: true,
      run: ({ path, content }, { signal }) => writeFile(files, { path, content, signal }),
    }),
    agentTool({
      name: 'edit_file',
      description:
        'Replaces `old` by `new` in a file. `old` must occur exactly once; take enough lines around it. `all: true` replaces every occurrence.',
      input: z.object({ path: z.string(), old: z.string(), new: z.string(), all: z.boolean().optional() }),
      isQuick: true,
      isRepeatable: true,
      run: ({ path, ...edit }, { signal }) => editFile(files, { path, edit, signal }),
    }),
    agentTool({
      name: 'delete_file',
      description: 'Deletes a file.',
      input: z.object({ path: z.string() }),
      isQuick: true,
      isRepeatable: true,
      run: ({ path }) => deleteFile(workspace, path),
    }),
  ]
}

interface WritePorts {
  workspace: Workspace
  textWorkers: TextWorkers
}

async function writeFile(
  { workspace, textWorkers }: WritePorts,
  { path, content, signal }: { path: string; content: string; signal: AbortSignal },
): Promise<ToolOutcome> {
  const before = workspace.tree.get(path)
  const refused = refusePath(path) ?? pathRefusal(workspace, path) ?? refuseText(workspace, path, content)
  if (refused !== null) return refused
  if (before !== undefined && !workspace.seen.has(path)) {
    return toolFailure(
      'not_read',
      `${path} exists and you have not read all of it; read it first, or use edit_file`,
    )
  }
  const text = storedText(content)
  if (before === text) return toolFailure('unchanged', `${path} already has this text`)
  const seen = await textWorkers.write({ path, before: before ?? '', after: text }, signal)
  if ('refused' in seen) return toolFailure(seen.refused.code, seen.refused.message)
  workspace.set(path, text)
  workspace.seen.add(path)
  const lines = text.split('\n').length - 1
  const head = `${before === undefined ? 'Created' : 'Replaced'} ${path} (${lines} lines).`
  return { ok: true, text: `${head}\n${seen.syntax}`, change: fileChange(path, 'write', text, seen) }
}

async function editFile(
  { workspace, textWorkers }: WritePorts,
  { path, edit, signal }: { path: string; edit: EditRequest; signal: AbortSignal },
): Promise<ToolOutcome> {
  const refused = refusePath(path)
  if (refused !== null) return refused
  const before = workspace.tree.get(path)
  if (before === undefined)
    return toolFailure('not_found', `${path} does not exist.${describeSimilarPaths(workspace, path)}`)
  const edited = await textWorkers.edit({ path, before, edit, bytesMax: FILE_BYTES_MAX }, signal)
  if ('refused' in edited) {
    const { code, message } = edited.refused
    return withFile(workspace, path, before, toolFailure(code, message))
  }
  const { text, shown, syntax } = edited
  const tooLarge = refuseText(workspace, path, text)
  if (tooLarge !== null) return tooLarge
  workspace.set(path, text)
  return {
    ok: true,
    text: `Edited ${path}.\n${shown}\n${syntax}`,
    change: fileChange(path, 'edit', text, edited),
  }
}

function deleteFile(workspace: Workspace, path: string): ToolOutcome {
  const before = workspace.tree.get(path)
  // A file that is older than a path rule may violate it. The file must be deletable. Otherwise the app can never pass a check again.
  const refused = before === undefined || isLocked(path) ? refusePath(path) : null
  if (refused !== null) return refused
  if (before === undefined)
    return toolFailure('not_found', `${path} does not exist.${describeSimilarPaths(workspace, path)}`)
  workspace.delete(path)
  return {
    ok: true,
    text: `Deleted ${path}.`,
    change: fileChange(path, 'delete', '', countAllLines(before, '')),
  }
}

function refusePath(path: string): ToolOutcome | null {
  if (isLocked(path))
    return toolFailure('locked', `${path} is computed by the platform and cannot be changed`)
  const problem = pathProblem(path)
  return problem === null
    ? null
    : toolFailure('invalid_path', `${path.slice(0, PATH_CHARS_SHOWN)} ${problem}`)
}

function pathRefusal(workspace: Workspace, path: string): ToolOutcome | null {
  const problem = pathConflict(path, workspace.tree)
  return problem === null ? null : toolFailure('invalid_path', `${path} ${problem}`)
}

function refuseText(workspace: Workspace, path: string, text: string): ToolOutcome | null {
  if (text.includes('\0')) return toolFailure('not_text', 'files are text; NUL is not allowed')
  const bytes = Buffer.byteLength(text)
  if (bytes > FILE_BYTES_MAX)
    return toolFailure('too_large', `${path} would have ${bytes} bytes; the most is 200 kB`)
  if (!workspace.tree.has(path) && workspace.tree.size >= FILES_MAX) {
    return toolFailure('too_large', `an app has at most ${FILES_MAX} files`)
  }
  const others = [...workspace.tree].reduce((sum, [p, t]) => sum + (p === path ? 0 : Buffer.byteLength(t)), 0)
  return others + bytes > TREE_BYTES_MAX
    ? toolFailure('too_large', 'an app has at most 2 MB of source')
    : null
}

/** From the second failed edit of a file on, adds the file's text to the result, because the text that the model remembers is wrong. */
function withFile(workspace: Workspace, path: string, text: string, outcome: ToolOutcome): ToolOutcome {
  if (outcome.code !== 'no_match' && outcome.code !== 'many_matches') return outcome
  if (workspace.countEditFailure(path) < 2) return outcome
  if (Buffer.byteLength(text) > FILE_IN_RESULT_BYTES_MAX) return outcome
  workspace.seen.add(path)
  return { ...outcome, text: `${outcome.text}\nUse write_file. The file is now:\n${text}` }
}

function fileChange(path: string, op: FileChange['op'], after: string, sums: LineCounts): FileChange {
  return { path, op, bytes: Buffer.byteLength(after), added: sums.added, removed: sums.removed }
}
