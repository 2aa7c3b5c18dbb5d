import * as z from 'zod'
import type { AppTree } from '../source/tree.ts'
import type { ReadRange } from './seen-files.ts'
import type { Workspace } from './workspace.ts'
import type { TextWorkers } from '../text/workers.ts'
import { agentTool, toolSuccess, toolFailure } from './tool.ts'

const READ_BYTES_MAX = 60_000
const HITS_MAX = 100
const CUT_LINE = /\n\(line \d+ is cut at 60 kB\)(?:\n.*)?$/

export function readTools(workspace: Workspace, textWorkers: TextWorkers) {
  return [
    agentTool({
      name: 'list_files',
      description:
        'Lists the files of the app with size, lines and exported names. `under` narrows to a folder.',
      input: z.object({ under: z.string().optional() }),
      isRepeatable: true,
      run: ({ under }) => toolSuccess(listFiles(workspace, under)),
    }),
    agentTool({
      name: 'read_file',
      description:
        'Reads a file. The first line of the result is a header; the rest is the raw text. `from` and `to` are line numbers, counted from 1. Files under platform/ can be read but not changed.',
      input: z.object({ path: z.string(), from: z.int().min(1).optional(), to: z.int().min(1).optional() }),
      isRepeatable: true,
      run: ({ path, from, to }) => readFile(workspace, path, from ?? 1, to ?? Infinity),
    }),
    agentTool({
      name: 'search',
      description:
        'Finds text in the files of the app: literal and ignoring case, or a regular expression with `regex: true`. `glob` narrows the files (web/**/*.tsx).',
      input: z.object({
        pattern: z.string().min(1).max(200),
        glob: z.string().optional(),
        regex: z.boolean().optional(),
      }),
      run: async ({ pattern, glob, regex }, { signal }) => {
        const found = await textWorkers.search(
          {
            files: [...filesAt(workspace, glob ?? '')],
            pattern,
            // Models send an empty string for an omitted argument.
            glob: glob || undefined,
            isRegex: regex === true,
            hitsMax: HITS_MAX,
          },
          signal,
        )
        if ('refused' in found) return toolFailure(found.refused.code, found.refused.message)
        if (found.hits.length === 0) return toolSuccess('No hits.')
        return toolSuccess(
          found.hits.slice(0, HITS_MAX).join('\n') + (found.hits.length > HITS_MAX ? '\nand more' : ''),
        )
      },
    }),
  ]
}

/** Returns one line about a file: path, bytes, lines, exported names. */
export function describeFile(path: string, text: string): string {
  const names = [
    ...text.matchAll(/^export (?:default )?(?:async )?(?:function|const|class|type|interface) (\w+)/gm),
  ]
  const exported = names.slice(0, 12).map((match) => match[1])
  const suffix = exported.length === 0 ? '' : `, exports ${exported.join(', ')}`
  return `${path} (${Buffer.byteLength(text)} bytes, ${countLines(text)} lines${suffix})`
}

function listFiles(workspace: Workspace, under: string | undefined): string {
  // Models name the top of the tree in several ways: '', '.', '/' and './'. A regular expression such as /\/+$/ would take minutes for a
  // hostile argument of half a million slashes.
  const folders = (under ?? '').split('/').filter((name) => name !== '' && name !== '.')
  const prefix = folders.map((name) => `${name}/`).join('')
  const files = filesAt(workspace, prefix)
  const paths = [...files.keys()].filter((path) => path.startsWith(prefix)).sort()
  if (paths.length === 0) return 'No files.'
  if (files === workspace.tree)
    return paths.map((path) => describeFile(path, files.get(path) ?? '')).join('\n')
  // There are hundreds of computed files, so those in subfolders are only counted.
  const byFolder = Map.groupBy(paths, (path) => path.slice(0, path.indexOf('/', prefix.length) + 1))
  return [...byFolder]
    .flatMap(([sub, own]) =>
      sub === ''
        ? own.map((path) => describeFile(path, files.get(path) ?? ''))
        : [`${sub} (${own.length} files)`],
    )
    .join('\n')
}

/** Returns the files among which a folder or glob is looked up. Includes the hundreds of computed files only for one in `platform/`. */
const filesAt = (workspace: Workspace, place: string): AppTree =>
  place.startsWith('platform/') ? workspace.complete : workspace.tree

function readFile(workspace: Workspace, path: string, from: number, to: number) {
  const text = workspace.tree.get(path) ?? workspace.complete.get(path)
  if (text === undefined)
    return toolFailure('not_found', `${path} does not exist.${describeSimilarPaths(workspace, path)}`)
  const lines = text.replace(/\n$/, '').split('\n')
  if (from > lines.length) return toolFailure('invalid_arguments', `from: the file has ${lines.length} lines`)
  if (to < from) return toolFailure('invalid_arguments', 'to: is before from')
  const { shown, last, isCut } = takeLines(lines, from, Math.min(to, lines.length))
  if (!isCut) workspace.seen.addRead(path, { from, to: last, lines: lines.length })
  const cut = isCut ? `\n(line ${last} is cut at 60 kB)` : ''
  const rest = last < Math.min(to, lines.length) ? `\n(cut at 60 kB; read on from line ${last + 1})` : ''
  return toolSuccess(`${path} ${from}-${last} of ${lines.length}\n${shown}${cut}${rest}`)
}

/**
 * Returns the range of lines in a result of the read tool, from the result's header. Null for a line that was cut, and
 * for any other text.
 */
export function readLineRange(result: string): ReadRange | null {
  if (CUT_LINE.test(result)) return null
  const [, from, to, lines] = / (\d+)-(\d+) of (\d+)$/.exec(result.split('\n', 1)[0] ?? '') ?? []
  return from === undefined ? null : { from: Number(from), to: Number(to), lines: Number(lines) }
}

/** Returns as many lines as fit, at least one line. `isCut`: the only returned line does not fit whole. */
function takeLines(
  lines: string[],
  from: number,
  to: number,
): { shown: string; last: number; isCut: boolean } {
  const taken: string[] = []
  let bytes = 0
  for (let n = from; n <= to; n++) {
    const line = lines[n - 1] ?? ''
    bytes += Buffer.byteLength(line) + 1
    if (bytes > READ_BYTES_MAX && taken.length > 0)
      return { shown: taken.join('\n'), last: n - 1, isCut: false }
    if (bytes > READ_BYTES_MAX) return { shown: cutToBytes(line, READ_BYTES_MAX), last: n, isCut: true }
    taken.push(line)
  }
  return { shown: taken.join('\n'), last: to, isCut: false }
}

/** Returns the beginning of a text. A character that would be cut in the middle is left out. */
const cutToBytes = (text: string, bytesMax: number): string =>
  Buffer.from(text)
    .subarray(0, bytesMax)
    .toString()
    .replace(/\uFFFD+$/, '')

/**
 * Returns a sentence with up to five paths that contain the file's name without the extension, for a model that remembers the name but
 * not the folder. Empty when no path contains the name.
 */
export function describeSimilarPaths(workspace: Workspace, path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const stem = name.replace(/\.[^.]*$/, '')
  const close = [...workspace.tree.keys()].filter((item) => stem !== '' && item.toLowerCase().includes(stem))
  return close.length === 0 ? '' : ` Nearest: ${close.slice(0, 5).join(', ')}.`
}

const countLines = (text: string) => (text === '' ? 0 : text.replace(/\n$/, '').split('\n').length)
